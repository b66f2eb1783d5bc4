import { yesOrNoLabels, type PatientList } from '#domain/patients/patient-labels.ts'
import type { EntryView, ListView, RecordView } from '#domain/patients/patient-view.ts'
import type { ReactNode } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { AddToList, ChooseName } from './AddToList.tsx'
import { listLabels, listSectionId, type ListChoice } from './list-labels.ts'
import { ListForm } from './ListForm.tsx'

type PatientListsProps = {
  patientId: string
  view: RecordView
  /** What the last form of the lists was refused with, or the names to choose from. */
  reply: FormFailure | ListChoice | null
}

/**
 * What a patient takes and reacts to, in lists that orders are checked with, and pregnancy where it
 * can concern them.
 */
export function PatientLists({ patientId, view, reply }: PatientListsProps) {
  const failure = reply && 'values' in reply ? reply : null
  const choice = reply && 'choice' in reply ? reply.choice : null
  const shared = { patientId, failure, choice }
  return (
    <>
      <p className="hidden font-medium noscript:block">
        Save what you typed above first. A change to these lists reloads the page without it.
      </p>
      <ListCard list="medications" view={view.medications} {...shared} />
      <ListCard list="allergies" view={view.allergies} {...shared}>
        <NoKnownAllergies patientId={patientId} view={view} />
      </ListCard>
      {view.pregnancy ? (
        <PregnancyCard patientId={patientId} pregnancy={view.pregnancy} failure={failure} />
      ) : null}
    </>
  )
}

type ListCardProps = {
  list: PatientList
  patientId: string
  view: ListView
  failure: FormFailure | null
  choice: ListChoice['choice'] | null
  children?: ReactNode
}

function ListCard({ list, patientId, view, failure, choice, children }: ListCardProps) {
  const { title, intro, empty } = listLabels[list]
  const id = listSectionId(list)
  const own = failure?.values['list'] === list ? failure : null
  const problem = own && (own.fields['name'] ?? own.message)
  const isEmpty = view.entries.length === 0
  return (
    <section aria-labelledby={id} className="card grid gap-4 p-5 sm:p-7">
      <div>
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <p className="mt-1 text-muted">{intro}</p>
      </div>
      {isEmpty ? (
        <p>{empty}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {view.entries.map((entry) => (
            <Entry key={entry.id} list={list} patientId={patientId} entry={entry} />
          ))}
        </ul>
      )}
      <RecognizedNames list={list} patientId={patientId} view={view} />
      {choice?.list === list ? <ChooseName patientId={patientId} choice={choice} /> : null}
      <AddToList
        // An added name empties the field.
        key={view.entries.map((entry) => entry.id).join()}
        list={list}
        patientId={patientId}
        typed={own?.values['name'] ?? (choice?.list === list ? choice.name : undefined)}
        error={problem ?? undefined}
      />
      {children}
    </section>
  )
}

const Entry = ({ list, patientId, entry }: { list: PatientList; patientId: string; entry: EntryView }) => (
  <li className="flex items-center gap-3 py-1">
    <span className="min-w-0 flex-1 wrap-anywhere">
      <span className="font-medium">{entry.name}</span>
      {entry.detail ? <span className="ml-2 text-muted">{entry.detail}</span> : null}
      {entry.isUnchecked ? (
        <span className="ml-2">
          <Badge tone="warning">Not checked</Badge>
        </span>
      ) : null}
    </span>
    <ListForm intent="remove-from-list" list={list} patientId={patientId} values={{ entryId: entry.id }}>
      <Button kind="quiet">
        Remove<span className="sr-only"> {entry.name}</span>
      </Button>
    </ListForm>
  </li>
)

/** What the text field names and the list does not have. */
function RecognizedNames({
  list,
  patientId,
  view: { recognized, notChecked },
}: {
  list: PatientList
  patientId: string
  view: ListView
}) {
  if (recognized.length + notChecked.length === 0) return null
  return (
    <div className="grid gap-3 rounded-box bg-base-200 p-4">
      {recognized.length > 0 ? (
        <>
          <p className="font-medium">Recognized in your text. Add to this list?</p>
          <ul className="grid gap-2">
            {recognized.map(({ label, detail, meaning }) => (
              <li key={meaning} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="min-w-0 flex-[1_1_12rem] wrap-anywhere">
                  {label}
                  {detail ? <span className="ml-2 text-muted">{detail}</span> : null}
                </span>
                <ListForm intent="confirm-names" list={list} patientId={patientId} values={{ meaning }}>
                  <Button>
                    Add<span className="sr-only"> {label}</span>
                  </Button>
                </ListForm>
                <ListForm intent="remove-from-list" list={list} patientId={patientId} values={{ meaning }}>
                  <Button kind="quiet">
                    Dismiss<span className="sr-only"> {label}</span>
                  </Button>
                </ListForm>
              </li>
            ))}
          </ul>
          {recognized.length > 1 ? (
            <ListForm intent="confirm-names" list={list} patientId={patientId}>
              <Button>Add all</Button>
            </ListForm>
          ) : null}
        </>
      ) : null}
      {notChecked.length > 0 ? (
        <p className="text-sm wrap-anywhere">
          We don’t recognize {notChecked.map((text) => `“${text}”`).join(', ')}. Pharmacists can see it, but
          we can’t check it.
        </p>
      ) : null}
    </div>
  )
}

/** "No known allergies" is an answer, which a list with entries cannot have. */
function NoKnownAllergies({ patientId, view }: { patientId: string; view: RecordView }) {
  if (view.allergies.entries.length > 0) return null
  return view.noKnownAllergies ? (
    <ListForm
      intent="no-allergies"
      patientId={patientId}
      values={{ none: 'no' }}
      className="flex flex-wrap items-center gap-3"
    >
      <p className="font-medium">No known allergies</p>
      <Button kind="quiet">Undo</Button>
    </ListForm>
  ) : (
    <ListForm intent="no-allergies" patientId={patientId} values={{ none: 'yes' }}>
      <Button>No known allergies</Button>
    </ListForm>
  )
}

function PregnancyCard({
  patientId,
  pregnancy,
  failure,
}: {
  patientId: string
  pregnancy: NonNullable<RecordView['pregnancy']>
  failure: FormFailure | null
}) {
  const own = failure?.intent === 'pregnancy' ? failure : null
  const question = (name: 'pregnant' | 'breastfeeding', label: string) => (
    <SelectField
      key={pregnancy[name]}
      label={label}
      name={name}
      defaultValue={own?.values[name] ?? pregnancy[name] ?? ''}
      error={own?.fields[name]}
    >
      <option value="">Not answered</option>
      {Object.entries(yesOrNoLabels).map(([answer, text]) => (
        <option key={answer} value={answer}>
          {text}
        </option>
      ))}
    </SelectField>
  )
  return (
    <section aria-labelledby="pregnancy" className="card p-5 sm:p-7">
      <h2 id="pregnancy" className="text-lg">
        Pregnancy
      </h2>
      <p className="mt-1 mb-4 text-muted">
        Some medicines have warnings about pregnancy.
        {pregnancy.answeredOn ? ` Last answered ${formatDay(pregnancy.answeredOn)}.` : ''}
      </p>
      <ListForm intent="pregnancy" patientId={patientId} className="grid gap-5 sm:grid-cols-2">
        {question('pregnant', 'Pregnant')}
        {question('breastfeeding', 'Breastfeeding')}
        {own?.message ? <p className="font-medium text-error sm:col-span-2">{own.message}</p> : null}
        <Button className="sm:justify-self-start">Save answers</Button>
      </ListForm>
    </section>
  )
}
