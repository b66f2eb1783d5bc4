import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { CaseItem, MedicineOption } from '#domain/dispensing/case-prescription.ts'
import { caseBounds } from '#domain/dispensing/review-case.ts'
import { formText, medicineText, unitsText } from '#domain/dispensing/medicine-text.ts'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Field } from '../../../ui/Field.tsx'
import { DirectionsField } from './DirectionsField.tsx'
import { MedicineField, MedicineName } from './MedicineField.tsx'
import { textField, type Fields } from './case-fields.ts'

type ItemFieldsProps = {
  /** The medicine's key in the form. */
  itemKey: string
  title: string
  /** Whether the form has no other medicine: then its first label says enough. */
  isOnly: boolean
  initial: Fields
  errors: Fields
  /** Without scripts: the medicines that match what was typed, after it was looked up. */
  options: readonly MedicineOption[] | null
  /** The medicine that the draft chose; null when it chose none. */
  drafted: Medicine | null
  /** The item as it is stored; null for a new one. */
  stored: CaseItem | null
  /** A medicine was chosen. */
  onPick: () => void
  onRemove: (() => void) | null
}

/** One medicine of the file. */
export function ItemFields({
  itemKey,
  title,
  isOnly,
  initial,
  errors,
  options,
  drafted,
  stored,
  onPick,
  onRemove,
}: ItemFieldsProps) {
  const nameOf = (field: string): string => `items.${itemKey}.${field}`
  const get = (field: string): string => initial[nameOf(field)] ?? ''
  const errorOf = (field: string): string | undefined => errors[nameOf(field)]
  const text = (field: string) => textField(nameOf(field), initial, errors)
  const [variantId, setVariantId] = useState(get('variantId'))
  // Without scripts, the one whose radio button was marked when the form was sent.
  const listed = options?.find((option) => option.variantId === variantId)
  const storedText = stored ? medicineText(stored.medicine) : ''
  const startText = get('medicine') || storedText
  // A text that is not the stored medicine's was typed, and no medicine chosen for it.
  const [medicine, setMedicine] = useState<Medicine | null>(
    drafted ?? (stored && startText === storedText ? stored.medicine : null),
  )
  const [units, setUnits] = useState(get('units'))
  const [daysSupply, setDaysSupply] = useState(get('daysSupply'))
  const unitsField = useRef<HTMLInputElement>(null)
  const hasMore = ['validUntil', 'agreement.with', 'agreement.on'].some((name) => get(name) || errorOf(name))
  return (
    <fieldset className="grid gap-3 border-t border-line pt-3">
      <legend className={isOnly ? 'sr-only' : 'float-start w-full font-semibold'}>{title}</legend>
      <input type="hidden" name={nameOf('id')} value={get('id')} />
      <input type="hidden" name={nameOf('storedMedicine')} value={get('storedMedicine')} />
      <MedicineField
        name={nameOf('medicine')}
        idName={nameOf('variantId')}
        listedName={nameOf('listed')}
        typed={startText}
        variantId={variantId}
        options={options}
        error={errorOf('variantId')}
        onPick={(option) => {
          setVariantId(option.variantId)
          setMedicine(option.medicine)
          onPick()
          // The next field: choosing with Enter would otherwise need one more key.
          unitsField.current?.focus()
        }}
        onTyped={() => {
          setVariantId('')
          setMedicine(null)
        }}
      />
      {medicine ? (
        <div className="card p-2">
          <MedicineName medicine={medicine} />
          <p className="text-muted">{[formText(medicine), medicine.route].filter(Boolean).join(' · ')}</p>
        </div>
      ) : null}
      <div className="grid grid-cols-3 items-start gap-3">
        <Field
          ref={unitsField}
          label="Quantity"
          {...text('units')}
          inputMode="numeric"
          hint={medicine ? unitsText(medicine) : null}
          onInput={(event) => setUnits(event.currentTarget.value)}
        />
        <Field
          label="Days’ supply"
          {...text('daysSupply')}
          inputMode="numeric"
          onInput={(event) => setDaysSupply(event.currentTarget.value)}
        />
        <Field label="Refills" {...text('refills')} inputMode="numeric" />
      </div>
      <DirectionsField
        name={nameOf('directions')}
        typed={get('directions')}
        medicine={listed?.medicine ?? medicine}
        units={units}
        daysSupply={daysSupply}
        error={errorOf('directions')}
      />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="grid-check"
          name={nameOf('dispenseAsWritten')}
          defaultChecked={get('dispenseAsWritten') === 'on'}
        />
        <span>
          Dispense as written{medicine?.brandName ? `: ${medicine.brandName} only` : ''}
          {errorOf('dispenseAsWritten') ? (
            <span className="block text-sm font-medium text-error">{errorOf('dispenseAsWritten')}</span>
          ) : null}
        </span>
      </label>
      <Disclosure summary="Expiry date, agreement" open={hasMore}>
        <div className="grid gap-3 pb-2">
          <Field
            label="Valid until"
            {...text('validUntil')}
            placeholder="mm/dd/yyyy"
            hint="Leave blank unless it expires less than 12 months after it was written."
          />
          <Field
            label="Who agreed"
            {...text('agreement.with')}
            maxLength={caseBounds.name}
            hint="A quantity above the one on the file needs the prescriber’s agreement."
            error={errorOf('agreement.with') ?? errorOf('agreement')}
          />
          <Field label="Agreed on" {...text('agreement.on')} placeholder="mm/dd/yyyy" />
          {onRemove ? (
            <Button type="button" kind="quiet" className="justify-self-start" onClick={onRemove}>
              Remove this medicine
            </Button>
          ) : null}
        </div>
      </Disclosure>
    </fieldset>
  )
}
