import { authenticationLabels, type CasePrescription } from '#domain/dispensing/case-prescription.ts'
import { caseBounds } from '#domain/dispensing/review-case.ts'
import { duplicatesOf } from '#domain/dispensing/duplicate-note.ts'
import { npiProblem } from '#domain/dispensing/npi.ts'
import { fold } from '#domain/text.ts'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { CaseForm } from './CaseForm.tsx'
import { readFields, type Fields } from './case-fields.ts'
import { ItemFields } from './ItemFields.tsx'
import { Key } from './Key.tsx'
import { conflictField, itemKeysOf, nextItemKey, type MedicineOptions } from './transcription-fields.ts'
import type { CaseForms } from './use-case-forms.ts'

type TranscriptionFormProps = {
  forms: CaseForms
  caseId: string
  prescription: CasePrescription
  patientName: string
  /** The values to start with: those of a refused save, else the draft's, else the stored ones. */
  initial: Fields
  /** The version that a save replaces. */
  version: string
  /** How many empty medicines a new form has: one for each ordered line. */
  itemCount: number
  /** Why the last save was refused, by field. */
  errors: Fields
  /** By field, the possible duplicates for which a save was refused. */
  refusedDuplicates: Fields
  /** Without scripts: the medicines that match what was typed. */
  options: MedicineOptions
  onChange: (fields: Fields) => void
  onSaved: () => void
  /** Closes the form and discards its draft; null when there is nothing else to show. */
  onCancel: (() => void) | null
}

/**
 * What the pharmacist reads from the file. Nothing is copied from the order or from what the
 * customer typed, so that the comparison means something.
 */
export function TranscriptionForm(props: TranscriptionFormProps) {
  const { forms, caseId, prescription, patientName, initial, errors, options, onChange, onCancel } = props
  const { refusedDuplicates } = props
  const { id: prescriptionId } = prescription
  const problem = forms.problemOf(prescriptionId)
  const form = useRef<HTMLFormElement>(null)
  const [keys, setKeys] = useState(() => {
    const stored = itemKeysOf(initial)
    return stored.length > 0 ? stored : Array.from({ length: props.itemCount }, (_, at) => String(at))
  })
  const [shown, setShown] = useState(initial)
  if (initial !== shown) {
    // A refused save. Medicines that a colleague has closed are not among its values.
    setShown(initial)
    const isClosed = (key: string): boolean =>
      shown[`items.${key}.id`] !== undefined && initial[`items.${key}.id`] === undefined
    const remaining = keys.filter((key) => !isClosed(key))
    setKeys(remaining.length > 0 ? remaining : [nextItemKey(keys)])
  }
  const [typedName, setTypedName] = useState(initial['patientName'] ?? '')
  const [npi, setNpi] = useState(initial['npi'] ?? '')
  const [method, setMethod] = useState(initial['authentication.method'] ?? '')
  useEffect(() => {
    if (Object.keys(errors).length > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    }
  }, [errors])
  const field = (name: string) => ({
    name,
    autoComplete: 'off',
    defaultValue: initial[name] ?? '',
    error: errors[name],
  })
  const isOtherName = typedName.trim() !== '' && !isStartOfName(typedName, patientName)
  const duplicates = [
    ...new Set([
      ...prescription.possibleDuplicates.map((duplicate) => duplicate.prescriptionId),
      ...duplicatesOf(refusedDuplicates),
    ]),
  ]
  const conflict = initial[conflictField]
  const editedVersion = {
    version: props.version,
    ...(conflict !== undefined && { [conflictField]: conflict }),
  }
  const sends = {
    prescriptionId,
    ...editedVersion,
    caseId,
    duplicatesSeen: duplicates.join(' '),
    ...refusedDuplicates,
  }
  /** After React has rendered what changed: a typed text ends the choice of its medicine. */
  const keepDraft = (): void => {
    setTimeout(() => {
      if (!form.current) return
      const { intent: _, ...fields } = readFields(form.current)
      const typed = Object.entries(fields).filter(([name]) => !Object.hasOwn(sends, name))
      // A draft without anything typed is deleted.
      const isBlank = typed.every(([, text]) => text.trim() === '')
      onChange(isBlank ? {} : { ...Object.fromEntries(typed), ...editedVersion })
    })
  }
  const hasOtherId = ['license', 'jurisdiction', 'prescriberPhone'].some(
    (name) => initial[name] || errors[name],
  )
  return (
    <CaseForm
      forms={forms}
      intent="transcribe"
      sends={sends}
      onSent={props.onSaved}
      ref={form}
      aria-label={`Transcription of ${prescription.rxNumber}`}
      className="grid gap-3"
      onInput={keepDraft}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          if (!forms.isBusy) event.currentTarget.requestSubmit()
        }
        // Esc leaves the field, so that the single keys work again.
        if (event.key === 'Escape' && !event.defaultPrevented && event.target instanceof HTMLElement) {
          event.target.blur()
        }
      }}
    >
      {problem ? <Alert kind="error" title={problem} /> : null}
      <Field
        label="Patient name on the file"
        {...field('patientName')}
        maxLength={caseBounds.name}
        hint={
          isOtherName ? (
            <span className="font-medium text-error">Differs from the profile: {patientName}</span>
          ) : isSameName(typedName, patientName) ? (
            'The same as in the profile'
          ) : null
        }
        onInput={(event) => setTypedName(event.currentTarget.value)}
      />
      {isOtherName || errors['patientNameNote'] ? (
        <Field
          label="Why it is the same person"
          {...field('patientNameNote')}
          maxLength={caseBounds.note}
          hint="For example a maiden name on the ID document. Otherwise refuse the lines."
        />
      ) : null}
      <Field label="Prescriber" {...field('prescriberName')} maxLength={caseBounds.name} />
      <div className="grid grid-cols-2 items-start gap-3">
        <Field
          label="NPI"
          {...field('npi')}
          inputMode="numeric"
          maxLength={14}
          hint={npiHint(npi)}
          onInput={(event) => setNpi(event.currentTarget.value)}
        />
        <Field label="Written on" {...field('writtenOn')} placeholder="mm/dd/yyyy" />
      </div>
      <SelectField
        label="Authenticated by"
        name="authentication.method"
        value={method}
        error={errors['authentication.method'] ?? errors['authentication']}
        onChange={(event) => setMethod(event.currentTarget.value)}
      >
        <option value="">Not yet</option>
        {Object.entries(authenticationLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {(method !== '' && method !== 'original') || errors['authentication.note'] ? (
        <Field
          label="Who, when, and how you found the contact"
          {...field('authentication.note')}
          maxLength={caseBounds.note}
        />
      ) : null}
      {duplicates.length > 0 || errors['duplicateNote'] ? (
        <Field
          label="Why it is not a duplicate"
          {...field('duplicateNote')}
          maxLength={caseBounds.note}
          hint="Compare it with the prescriptions listed above."
        />
      ) : null}
      {keys.map((key, at) => {
        const id = initial[`items.${key}.id`]
        return (
          <ItemFields
            key={key}
            itemKey={key}
            title={keys.length > 1 ? `Medicine ${at + 1} of ${keys.length}` : 'Medicine'}
            isOnly={keys.length === 1}
            initial={initial}
            errors={errors}
            options={options[key] ?? null}
            stored={prescription.items.find((item) => item.id === id) ?? null}
            onPick={keepDraft}
            onRemove={
              keys.length > 1 && !id
                ? () => {
                    setKeys(keys.filter((other) => other !== key))
                    keepDraft()
                  }
                : null
            }
          />
        )
      })}
      <Button
        name="edit"
        value="add"
        kind="quiet"
        className="justify-self-start"
        disabled={keys.length >= caseBounds.items}
        onClick={(event) => {
          event.preventDefault()
          setKeys([...keys, nextItemKey(keys)])
        }}
      >
        Add a medicine
      </Button>
      <Disclosure summary="No NPI: license, phone" open={hasOtherId} className="border-t border-line">
        <div className="grid gap-3 pb-2">
          <Field label="License number" {...field('license')} maxLength={50} />
          <Field
            label="State or country of the license"
            {...field('jurisdiction')}
            maxLength={10}
            hint="Like CA, or CA-ON for Ontario"
          />
          <Field label="Prescriber’s phone" type="tel" {...field('prescriberPhone')} maxLength={50} />
        </div>
      </Disclosure>
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <Button kind="primary" disabled={forms.isBusy}>
          Save transcription <Key>Ctrl ⏎</Key>
        </Button>
        {onCancel ? (
          <Button
            name="edit"
            value="cancel"
            kind="quiet"
            onClick={(event) => {
              event.preventDefault()
              onCancel()
            }}
          >
            Cancel
          </Button>
        ) : null}
      </div>
    </CaseForm>
  )
}

/** Whether what was typed so far can become the other name. */
const isStartOfName = (typed: string, name: string): boolean => {
  const words = fold(name).split(' ')
  return fold(typed)
    .split(' ')
    .every((start) => words.some((word) => word.startsWith(start)))
}

/** Whether two names have the same words, in any order: files write the last name first. */
const isSameName = (one: string, other: string): boolean => sortWords(one) === sortWords(other)
const sortWords = (name: string): string => fold(name).split(' ').toSorted().join(' ')

function npiHint(typed: string) {
  const digits = typed.replaceAll(/[\s-]/g, '')
  if (digits.length < 10) return 'Or a license number, below'
  const problem = npiProblem(digits)
  if (problem) return <span className="font-medium text-error">{problem}</span>
  return 'The check digit matches. It catches typing errors only.'
}
