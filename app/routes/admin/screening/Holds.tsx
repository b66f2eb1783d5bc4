import { lotBounds } from '#domain/inventory/inventory-messages.ts'
import { holdOutcomes } from '#domain/screening/recall-hold.ts'
import type { RecallDetails } from '#server/recalls/get-recall.ts'
import { Fragment } from 'react'
import { hasFields, type FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { useCan } from '../frame/use-can.ts'
import { units } from '../inventory/units.ts'

/**
 * Units that a recall holds. The key identifies the submission of their form, so that sending it
 * twice records them once.
 */
type HeldUnits = RecallDetails['holds'][number] & { requestKey: string }

type HoldsProps = {
  details: Omit<RecallDetails, 'holds'> & { holds: HeldUnits[] }
  failure: FormFailure | null
}

/** Units that a recall took out of the stock, and what became of those before. */
export function Holds({ details: { holds, endedHolds, hasEnded }, failure }: HoldsProps) {
  const can = useCan()
  return (
    <>
      {holds.length === 0 ? null : (
        <>
          <h3 className="mt-3">Units without a lot that left the stock</h3>
          <ul className="grid gap-3">
            {holds.map((hold) => (
              <li key={hold.variantId} className="grid gap-2">
                {hold.name}: {units(hold.units)}
                {can('lots.quarantine') ? (
                  <EndHoldForm
                    hold={hold}
                    hasEnded={hasEnded}
                    failure={failure?.values['variantId'] === hold.variantId ? failure : null}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
      {endedHolds.length === 0 ? null : (
        <>
          <h3 className="mt-3">What happened to held units</h3>
          <ul className="grid gap-2">
            {endedHolds.map(({ id, name, units: count, outcome, reason, by, at }) => (
              <li key={id} className="wrap-anywhere">
                <b>{holdOutcomes[outcome]}</b>: {units(count)} of {name}, by {by}, <DateTime at={at} />
                <span className="block whitespace-pre-line">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

type EndHoldFormProps = {
  hold: HeldUnits
  /** Whether units may return to the stock. */
  hasEnded: boolean
  failure: FormFailure | null
}

/** Records what happened to held units, with the reason: the recall is closed with it. */
function EndHoldForm({ hold, hasEnded, failure }: EndHoldFormProps) {
  const { variantId, name, units: held, requestKey } = hold
  const { values = {}, fields = {}, isConflict } = failure ?? {}
  const sentKey = isConflict ? undefined : values['requestKey']
  const idOf = (field: string): string => `${field}-${variantId}`
  const outcomes = Object.entries(holdOutcomes).filter(([outcome]) => hasEnded || outcome !== 'stock')
  return (
    <PostForm noValidate={false} className="grid gap-3" aria-label={`What happened to ${name}`}>
      {failure && hasFields(failure) ? (
        <ErrorSummary
          title="Check the fields."
          fields={Object.fromEntries(Object.entries(fields).map(([field, text]) => [idOf(field), text]))}
        />
      ) : null}
      <input type="hidden" name="variantId" value={variantId} />
      <input type="hidden" name="held" value={held} />
      {/* Without a conflict, a failed form keeps its key: the units may be recorded. */}
      <input type="hidden" name="requestKey" value={sentKey ?? requestKey} />
      {/* Other units are another record: what was typed for those before would record it twice. So
          would what stays typed after a form that was sent again. */}
      <Fragment key={`${held} ${sentKey ?? ''}`}>
        <SelectField
          id={idOf('outcome')}
          name="outcome"
          label="What happened to the units"
          defaultValue={values['outcome'] ?? ''}
          error={fields['outcome']}
          required
        >
          <option value="">Choose…</option>
          {outcomes.map(([outcome, label]) => (
            <option key={outcome} value={outcome}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field
          id={idOf('quantity')}
          name="quantity"
          label="Quantity"
          type="number"
          min="1"
          max={held}
          step="1"
          defaultValue={values['quantity'] ?? held}
          error={fields['quantity']}
          required
        />
        <TextAreaField
          id={idOf('reason')}
          name="reason"
          label="Reason"
          hint="Include the destruction record or return number. You can’t undo this."
          rows={2}
          maxLength={lotBounds.reason}
          defaultValue={values['reason']}
          error={fields['reason']}
          required
        />
      </Fragment>
      <Button kind="danger" className="justify-self-start">
        Record
      </Button>
    </PostForm>
  )
}
