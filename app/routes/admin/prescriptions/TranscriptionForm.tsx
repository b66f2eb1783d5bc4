import { authenticationLabels, caseBounds, type CasePrescription } from '#domain/dispensing/review-case.ts'
import { npiProblem } from '#domain/dispensing/npi.ts'
import { fold } from '#domain/text.ts'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { ItemFields } from './ItemFields.tsx'
import { Key } from './Key.tsx'
import { itemKeysOf, readFields, type Fields } from './transcription-fields.ts'

type TranscriptionFormProps = {
  prescription: CasePrescription
  patientName: string
  /** The values to start with: the draft's, else the stored ones. */
  initial: Fields
  /** How many empty medicines a new form has: one for each ordered line. */
  itemCount: number
  isBusy: boolean
  /** Why the last save was refused, by field. */
  errors: Fields
  /** Why it was refused as a whole, such as another pharmacist's edit. */
  problem: string | null
  onChange: (fields: Fields) => void
  onSave: (fields: Fields) => void
  /** Closes the form; null when there is nothing else to show. */
  onCancel: (() => void) | null
}

/**
 * What the pharmacist reads from the file. Nothing is copied from the order or from what the
 * customer typed, so that the comparison means something.
 */
export function TranscriptionForm(props: TranscriptionFormProps) {
  const { prescription, patientName, initial, errors, problem, isBusy, onChange, onSave, onCancel } = props
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [keys, setKeys] = useState(() => {
    const stored = itemKeysOf(initial)
    return stored.length > 0 ? stored : Array.from({ length: props.itemCount }, (_, at) => String(at))
  })
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
  const hasDuplicates = prescription.possibleDuplicates.length > 0
  const hasOtherId = ['license', 'jurisdiction', 'prescriberPhone'].some(
    (name) => initial[name] || errors[name],
  )
  return (
    <form
      ref={form}
      noValidate
      // Scripts send it. What is typed must never end up in a URL.
      method="post"
      aria-label={`Transcription of ${prescription.rxNumber}`}
      className="grid gap-3"
      onInput={(event) => onChange(readFields(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        onSave(readFields(event.currentTarget))
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          if (!isBusy) event.currentTarget.requestSubmit()
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
      {hasDuplicates || errors['duplicateNote'] ? (
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
            initial={initial}
            errors={errors}
            stored={prescription.items.find((item) => item.id === id)?.medicine ?? null}
            onRemove={keys.length > 1 && !id ? () => setKeys(keys.filter((other) => other !== key)) : null}
          />
        )
      })}
      <Button
        type="button"
        kind="quiet"
        className="justify-self-start"
        disabled={keys.length >= caseBounds.items}
        onClick={() => setKeys([...keys, String(Math.max(-1, ...keys.map(Number)) + 1)])}
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
        <Button kind="primary" disabled={isBusy || !hydrated}>
          Save transcription <Key>Ctrl ⏎</Key>
        </Button>
        {onCancel ? (
          <Button type="button" kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
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
  return 'The check digit is right. It proves the typing only.'
}
