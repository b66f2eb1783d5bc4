import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import { conflictField, shownItemsField } from '#domain/dispensing/draft-fields.ts'
import { caseBounds } from '#domain/dispensing/review-case.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import { duplicatesOf } from '#domain/dispensing/duplicate-note.ts'
import { useEffect, useRef } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { CaseForm } from './CaseForm.tsx'
import { readFields, textField, type Fields } from './case-fields.ts'
import { ItemFields } from './ItemFields.tsx'
import { Key } from './Key.tsx'
import { PatientNameFields } from './PatientNameFields.tsx'
import { PrescriberFields, PrescriberLicense } from './PrescriberFields.tsx'
import { itemKeysOf, nextItemKey, type MedicineOptions } from './transcription-fields.ts'
import type { CaseForms } from './use-case-forms.ts'
import { useItemKeys } from './use-item-keys.ts'

type TranscriptionFormProps = {
  id: string
  forms: CaseForms
  caseId: string
  prescription: CasePrescription
  patientName: string
  /** The values to start with: those of a refused save, else the draft's, else the stored ones. */
  initial: Fields
  /** The version that a save replaces. */
  version: string
  /** The version that its draft is for. */
  draftVersion: string
  /** How many empty medicines a new form has: one for each ordered line. */
  itemCount: number
  /** Why the last save was refused, by field. */
  errors: Fields
  /** By field, the possible duplicates for which a save was refused. */
  refusedDuplicates: Fields
  /** Without scripts: the medicines that match what was typed. */
  options: MedicineOptions
  /** The medicines that the draft chose, by variant. */
  draftedMedicines: Readonly<Record<string, Medicine>>
  /** @param opened what the form showed first */
  onChange: (fields: Fields, opened: Fields) => void
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
  const [keys, setKeys] = useItemKeys(initial, props.itemCount)
  useEffect(() => {
    if (Object.keys(errors).length > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    }
  }, [errors])
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
  const readTyped = (shown: HTMLFormElement): Fields => {
    const { intent: _, ...fields } = readFields(shown)
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(sends, name)))
  }
  const opened = useRef<Fields>({})
  useEffect(() => {
    if (form.current) opened.current = withShownItems(readTyped(form.current))
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  /** After React has rendered what changed: a typed text ends the choice of its medicine. */
  const keepDraft = (): void => {
    setTimeout(() => {
      if (!form.current) return
      const typed = readTyped(form.current)
      // A draft without anything typed is deleted.
      const isBlank = Object.values(typed).every((text) => text.trim() === '')
      const drafted = { ...withShownItems(typed), ...editedVersion, version: props.draftVersion }
      onChange(isBlank ? {} : drafted, opened.current)
    })
  }
  return (
    <CaseForm
      forms={forms}
      intent="transcribe"
      sends={sends}
      onSent={props.onSaved}
      ref={form}
      id={props.id}
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
      <PatientNameFields initial={initial} errors={errors} profileName={patientName} />
      <PrescriberFields initial={initial} errors={errors} />
      {duplicates.length > 0 || errors['duplicateNote'] ? (
        <Field
          label="Why it is not a duplicate"
          {...textField('duplicateNote', initial, errors)}
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
            drafted={props.draftedMedicines[initial[`items.${key}.variantId`] ?? ''] ?? null}
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
          keepDraft()
        }}
      >
        Add a medicine
      </Button>
      <PrescriberLicense initial={initial} errors={errors} />
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

/** With the medicines for which nothing was typed, because a draft has no blank fields. */
const withShownItems = (typed: Fields): Fields => ({
  ...typed,
  [shownItemsField]: itemKeysOf(typed).join(' '),
})
