import { adminPaths } from '#domain/admin-paths.ts'
import { lotBounds } from '#domain/inventory/inventory-messages.ts'
import type { RecallDetails } from '#server/recalls/get-recall.ts'
import { CodeField } from '../../../components/CodeField.tsx'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Link } from '../../../render/Link.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { useCan } from '../frame/use-can.ts'
import { AdminCard } from '../orders/AdminCard.tsx'

type RecordedCardProps = {
  id: string
  recorded: NonNullable<RecallDetails['recorded']>
  /** Identifies the submission, so that sending it twice ends the recall once. */
  requestKey: string
  needsCode: boolean
  failure: FormFailure | null
}

/** Who recorded a recall and from which source, and the form that ends it. */
export function RecordedCard({ id, recorded, ...form }: RecordedCardProps) {
  const { by, at, note, ended } = recorded
  const can = useCan()
  return (
    <AdminCard title="Recorded by staff">
      <p className="wrap-anywhere">
        Recorded by {by}, <DateTime at={at} />
        <span className="block whitespace-pre-line">{note}</span>
      </p>
      {ended ? (
        <>
          <p className="mt-3 wrap-anywhere">
            <b>Ended</b> by {ended.by}, <DateTime at={ended.at} />
            <span className="block whitespace-pre-line">{ended.note}</span>
          </p>
          <p className="mt-3 text-muted">
            Stock that is on hold stays on hold. Release each lot on its page, return held units below, and
            set packages without stock tracking to in stock again.
          </p>
          {can('settings.write') ? (
            <p className="mt-3">
              Ended by mistake? You can’t undo this, but you can{' '}
              <Link to={adminPaths.recall('new', { from: id })} className="text-link">
                record it again
              </Link>
              . The form will be filled in with the recorded details. Customers will be emailed again.
            </p>
          ) : null}
        </>
      ) : can('settings.write') ? (
        <EndRecall {...form} />
      ) : null}
    </AdminCard>
  )
}

function EndRecall({ requestKey, needsCode, failure }: Omit<RecordedCardProps, 'id' | 'recorded'>) {
  const { values = {}, fields = {}, isConflict } = failure ?? {}
  const sentKey = isConflict ? undefined : values['requestKey']
  const errors = Object.entries(fields).map(([field, text]) => [`end-${field}`, text])
  return (
    <PostForm className="mt-3 grid gap-3" aria-label="End this recall">
      {errors.length > 0 ? (
        <ErrorSummary title="Nothing has changed yet" fields={Object.fromEntries(errors)} />
      ) : null}
      <input type="hidden" name="intent" value="end" />
      {/* Without a conflict, a failed form keeps its key: the recall may have ended. */}
      <input type="hidden" name="requestKey" value={sentKey ?? requestKey} />
      <TextAreaField
        id="end-reason"
        name="reason"
        label="Reason for ending"
        hint="For example, its official entry is in the list now, or it was a mistake. You can’t undo this."
        rows={2}
        maxLength={lotBounds.reason}
        defaultValue={values['reason']}
        error={fields['reason']}
        required
      />
      {needsCode ? <CodeField id="end-code" error={fields['code']} /> : null}
      <Button kind="danger" className="justify-self-start">
        End this recall
      </Button>
    </PostForm>
  )
}
