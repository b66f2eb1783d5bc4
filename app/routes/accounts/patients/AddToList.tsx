import type { PatientList } from '#domain/patients/patient-labels.ts'
import type { NameView } from '#domain/patients/patient-view.ts'
import { paths } from '#domain/paths.ts'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Combobox, type ComboboxOption } from '../../../ui/Combobox.tsx'
import { descriptionIds, FieldFrame } from '../../../ui/Field.tsx'
import { listLabels, type ListChoice } from './list-labels.ts'
import { ListForm } from './ListForm.tsx'

type Option = ComboboxOption & { meaning: string }

/** Names are health data, so they are sent in a body and not in a URL. */
const loadNames =
  (list: PatientList) =>
  async (typed: string, signal: AbortSignal): Promise<Option[]> => {
    const response = await fetch(paths.medicineNames, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ list, name: typed }),
      signal,
    })
    if (!response.ok) throw new Error(String(response.status))
    const { names } = (await response.json()) as { names: NameView[] }
    return names.map(({ label, detail, meaning }) => ({
      key: `${label}|${meaning}`,
      label,
      hint: detail,
      meaning,
    }))
  }

type AddToListProps = {
  list: PatientList
  patientId: string
  /** What was typed and refused. */
  typed: string | undefined
  error: string | undefined
}

/**
 * The form that adds a name: with scripts it suggests names, without them the next page has the
 * matches.
 */
export function AddToList({ list, patientId, typed, error }: AddToListProps) {
  const id = `add-${list}`
  const { add, hint } = listLabels[list]
  /** The meaning of the suggestion that was picked. */
  const [picked, setPicked] = useState<string | null>(null)
  return (
    <ListForm intent="add-to-list" list={list} patientId={patientId}>
      <FieldFrame id={id} label={add} hint={hint} error={error}>
        <div className="flex gap-2">
          <Combobox
            id={id}
            name="name"
            defaultValue={typed}
            listLabel="Suggestions"
            spellCheck={false}
            autoComplete="off"
            // Without scripts, the browser scrolls to it after a failure.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={error !== undefined}
            aria-invalid={error ? true : undefined}
            aria-describedby={descriptionIds(id, hint, error)}
            load={loadNames(list)}
            onTyped={() => setPicked(null)}
            onPick={({ label, meaning }) => {
              setPicked(meaning)
              return label
            }}
          />
          <Button>Add</Button>
        </div>
      </FieldFrame>
      {picked === null ? null : <input type="hidden" name="meaning" value={picked} />}
    </ListForm>
  )
}

/** The names that a typed name can mean, and keeping it as text. */
export function ChooseName({
  patientId,
  choice: { list, name, options },
}: {
  patientId: string
  choice: ListChoice['choice']
}) {
  return (
    <div
      role="status"
      tabIndex={-1}
      // Without scripts, the browser scrolls to it. It appears only after a form submission.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      className="rounded-box border border-line p-4"
    >
      <p className="font-medium">
        {options.length === 0 ? 'We don’t recognize this name.' : 'Which one do you mean?'}
      </p>
      <ul className="mt-3 grid gap-2">
        {options.map(({ label, detail, meaning }) => (
          <li key={`${label}|${meaning}`}>
            <ListForm
              intent="add-to-list"
              list={list}
              patientId={patientId}
              values={{ name: label, meaning }}
            >
              <Button className="h-auto min-h-11 justify-start py-2 text-start">
                {label}
                {detail ? <span className="font-normal opacity-90">{detail}</span> : null}
              </Button>
            </ListForm>
          </li>
        ))}
        <li>
          <ListForm intent="add-to-list" list={list} patientId={patientId} values={{ name, meaning: 'text' }}>
            <Button className="h-auto min-h-11 justify-start py-2 text-start wrap-anywhere">
              Add “{name}” as typed. Pharmacists can see it, but we can’t check it.
            </Button>
          </ListForm>
        </li>
      </ul>
    </div>
  )
}
