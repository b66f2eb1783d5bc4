import { alertChoices, alertNoteLength, notRelevantReasons } from '#domain/alerts/alert-decision.ts'
import type { CaseAlert } from '#domain/alerts/case-alert.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { CaseForm } from './CaseForm.tsx'
import type { CaseForms } from './use-case-forms.ts'

type AlertDecisionFormProps = {
  alert: CaseAlert
  line: CaseLine
  /** The prescription item that raises the alert; empty for the one that the line names. */
  itemId: string
  forms: CaseForms
  /** Why the line was not cleared: this alert is undecided. */
  error: string | undefined
}

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

/** A pharmacist's decision on an alert. The server checks which choices need a reason or a note. */
export function AlertDecisionForm({ alert, line, itemId, forms, error }: AlertDecisionFormProps) {
  const refused = forms.failureOf('decideAlert', line.id)
  const failure = refused?.values['alertId'] === alert.id ? refused : null
  const field = (name: 'choice' | 'reason' | 'note') => ({
    id: `${name}-${line.id}-${alert.id}`,
    name,
    error: failure?.fields[name] ?? (name === 'choice' ? error : undefined),
    defaultValue: failure?.values[name] ?? '',
  })
  return (
    <CaseForm
      forms={forms}
      intent="decideAlert"
      sends={{ lineId: line.id, version: line.version, alertId: alert.id, itemId }}
      aria-label={`Decide: ${alert.title}`}
      className="mt-1 grid gap-2 print:hidden"
      data-alert=""
    >
      <div className="form-grid">
        <SelectField label="Decision" {...field('choice')}>
          <option value="">Choose…</option>
          {options(alertChoices)}
        </SelectField>
        <SelectField label="Why it is not relevant" {...field('reason')}>
          <option value="">–</option>
          {options(notRelevantReasons)}
        </SelectField>
        <Field
          label="Note"
          hint="Required if you called the prescriber, chose another reason or refuse the line. If you refuse, the customer sees this note."
          maxLength={alertNoteLength}
          autoComplete="off"
          {...field('note')}
        />
      </div>
      <Button className="justify-self-start" disabled={forms.isBusy}>
        Record decision
      </Button>
    </CaseForm>
  )
}
