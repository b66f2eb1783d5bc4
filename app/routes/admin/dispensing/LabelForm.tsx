import {
  auxiliaryWarnings,
  storageIds,
  storageTexts,
  warningIds,
} from '#domain/dispensing/auxiliary-warnings.ts'
import {
  counselingAnswerIds,
  counselingAnswers,
  guideAnswerIds,
  guideAnswers,
} from '#domain/dispensing/label-answers.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { LabelView } from '#server/reviews/get-label.ts'
import { useId } from 'react'
import { useNavigation } from 'react-router'
import { formatDay } from '../../../components/orders/order-labels.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import type { Paper } from './papers.ts'
import { StoredLabel } from './StoredLabel.tsx'

type LabelFormProps = { view: LabelView; paper: Paper; failure: FormFailure | null }

/** What a pharmacist decides for a label. Works without scripts. */
export function LabelForm({ view, paper, failure }: LabelFormProps) {
  const { label, choices, version, flags, latestDiscardAfter } = view
  const isBusy = useNavigation().state !== 'idle'
  const typed = failure?.values
  const errors = failure?.fields ?? {}
  const textOf = (name: string, stored: string | null): string => typed?.[name] ?? stored ?? ''
  const isTicked = (name: string, stored: boolean): boolean => (typed ? typed[name] === 'on' : stored)
  return (
    <PostForm
      action={adminPaths.label(label.orderId, label.lineId, { paper })}
      className="card grid gap-4 p-4 print:hidden"
      aria-label="Label"
    >
      {failure ? <ErrorSummary title={failure.message ?? 'Check the label.'} fields={errors} /> : null}
      {typed && typed['version'] !== String(version) ? <StoredLabel choices={choices} typed={typed} /> : null}
      <input type="hidden" name="version" value={version} />
      <fieldset>
        <legend className="mb-1 font-medium">Warnings</legend>
        {warningIds.map((id) => (
          <Tick
            key={id}
            name={`warn-${id}`}
            isTicked={isTicked(`warn-${id}`, choices.warnings.includes(id))}
            hint={auxiliaryWarnings[id].source}
          >
            {auxiliaryWarnings[id].text}
          </Tick>
        ))}
      </fieldset>
      <TextAreaField
        id="otherWarnings"
        name="otherWarnings"
        label="Your own warnings"
        hint="One per line. A label can have up to 5 warnings."
        rows={2}
        defaultValue={textOf('otherWarnings', choices.otherWarnings.join('\n'))}
        error={errors['otherWarnings']}
      />
      <SelectField
        id="storage"
        name="storage"
        label="Storage"
        defaultValue={textOf('storage', choices.storage)}
        error={errors['storage']}
      >
        {storageIds.map((id) => (
          <option key={id} value={id}>
            {storageTexts[id]}
          </option>
        ))}
      </SelectField>
      <div className="form-grid">
        <Field
          id="lot"
          name="lot"
          label="Lot"
          autoComplete="off"
          defaultValue={textOf('lot', choices.lot)}
          error={errors['lot']}
        />
        <Field
          id="lotExpiry"
          name="lotExpiry"
          type="date"
          label="Lot expires on"
          defaultValue={textOf('lotExpiry', choices.lotExpiry)}
          error={errors['lotExpiry']}
        />
        <Field
          id="discardAfter"
          name="discardAfter"
          type="date"
          label="Discard after"
          hint={`Leave empty for ${formatDay(latestDiscardAfter)}: the lot’s expiry or 12 months, whichever is earlier.`}
          defaultValue={textOf('discardAfter', choices.discardAfter)}
          error={errors['discardAfter']}
        />
      </div>
      <SelectField
        id="guide"
        name="guide"
        label="Medication Guide"
        hint={describeFlags(view)}
        defaultValue={textOf('guide', choices.guide)}
        error={errors['guide']}
      >
        <option value="">Not decided yet</option>
        {guideAnswerIds.map((answer) => (
          <option key={answer} value={answer}>
            {guideAnswers[answer]}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        id="remsDecision"
        name="remsDecision"
        label={flags.hasRems ? 'REMS decision' : 'REMS decision, if the medicine has a REMS'}
        hint={
          choices.remsDecision ? (
            <Recorded by={view.names.remsDecision} at={choices.remsDecision.at} />
          ) : (
            'What the REMS requires, and how it is met.'
          )
        }
        rows={2}
        defaultValue={textOf('remsDecision', choices.remsDecision?.text ?? null)}
        error={errors['remsDecision']}
      />
      <SelectField
        id="counseling"
        name="counseling"
        label={view.isFirstFill ? 'Counseling, offered for this first fill' : 'Counseling'}
        hint={
          choices.counseling ? (
            <Recorded by={view.names.counseling} at={choices.counseling.at} />
          ) : (
            `The label and the leaflet offer it at ${label.pharmacistPhone}.`
          )
        }
        defaultValue={textOf('counseling', choices.counseling?.answer ?? null)}
        error={errors['counseling']}
      >
        <option value="">No answer yet</option>
        {counselingAnswerIds.map((answer) => (
          <option key={answer} value={answer}>
            {counselingAnswers[answer]}
          </option>
        ))}
      </SelectField>
      <div>
        <Button kind="primary" aria-disabled={isBusy || undefined}>
          Save label
        </Button>
      </div>
    </PostForm>
  )
}

/** What FDA's label says, with its source and date. A list that has no label proves nothing. */
function describeFlags({ flags }: LabelView): string {
  const source = 'Source: openFDA labels from January 2024 and July 2026, matched by word.'
  if (!flags.isRead) {
    return `We haven’t read an FDA label for these ingredients. Check whether a Medication Guide or a REMS applies. ${source}`
  }
  const dated = flags.effective
    ? `The FDA label dated ${formatDay(flags.effective)}`
    : 'The FDA label we read'
  const facts = [
    flags.hasGuide ? 'has a Medication Guide, which goes with every fill' : null,
    flags.hasRems ? 'mentions a REMS' : null,
  ].filter((fact) => fact !== null)
  return facts.length > 0
    ? `${dated} ${facts.join(' and ')}. ${source}`
    : `${dated} has no Medication Guide and no REMS that we found. Check the package. ${source}`
}

const Recorded = ({ by, at }: { by: string | null; at: string }) => (
  <>
    Recorded by {by ?? 'a former staff member'}, <DateTime at={at} />
  </>
)

type TickProps = { name: string; isTicked: boolean; hint: string; children: string }

function Tick({ name, isTicked, hint, children }: TickProps) {
  const id = useId()
  return (
    <label className="flex min-h-9 items-center gap-2" htmlFor={id}>
      <input id={id} type="checkbox" name={name} className="grid-check" defaultChecked={isTicked} />
      <span>
        {children}
        <span className="block text-muted">{hint}</span>
      </span>
    </label>
  )
}
