import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { ingredientText, listNames } from '#domain/alerts/alert-text.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { rowReportLength, rowReportStatusLabels } from '#domain/screening/row-report-labels.ts'
import { rowReportSchema, rowReviewFormSchema } from '#domain/screening/row-reports.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import {
  listRowReports,
  reportRow,
  reviewRowReport,
  type RowReportView,
} from '#server/screening/row-reports.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { CodeField } from '../../../components/CodeField.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import type { Route } from './+types/row-reports'

export const loader = adminLoader('prescriptions.review', async (ctx) => ({
  reports: await listRowReports(ctx),
  needsCode: needsRecentCode(ctx),
}))

export const action = adminAction('prescriptions.review', async (ctx, args: Route.ActionArgs, form) => {
  const intent = getText(form, 'intent')
  const done = (title: string, to: string = adminPaths.rowReports) =>
    redirectWithToast(args, to, { kind: 'success', title })
  if (intent === 'report') {
    const caseId = getText(form, 'caseId') ?? ''
    return formAction(form, rowReportSchema, async (report) => {
      await reportRow(ctx, report)
      return done('Marked as wrong', isId(caseId) ? adminPaths.prescriptionsWith({ id: caseId }) : undefined)
    })
  }
  if (intent !== 'review') throw new AppError('BAD_REQUEST')
  return formAction(form, rowReviewFormSchema, async ({ code, ...review }) => {
    await reviewRowReport(await withRecentCode(ctx, code), review)
    return done(review.isWrong ? 'Confirmed as wrong' : 'Report rejected')
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** Rows of the interaction lists that pharmacists marked as wrong, and what was decided. */
export default function RowReports({ loaderData, actionData }: Route.ComponentProps) {
  const { reports, needsCode } = loaderData
  const can = useCan()
  const failure: FormFailure | null = actionData ?? null
  const open = reports.filter(({ status }) => status === 'open')
  const decided = reports.filter(({ status }) => status !== 'open')
  return (
    <AdminPage title="Rows marked as wrong" back={{ to: adminPaths.screeningLists, label: 'Screening' }}>
      <p className="mb-4 max-w-3xl text-muted">
        Pharmacists can mark a row of an interaction list as wrong where its alert is shown. The row stays in
        use until another person who may change settings confirms that it’s wrong. It is used again if a later
        edition of the list changes it.
      </p>
      {failure ? (
        <div className="mb-4">
          <ErrorSummary title={failure.message ?? 'Nothing has changed yet'} fields={toFieldIds(failure)} />
        </div>
      ) : null}
      {failure?.values['intent'] === 'report' ? <UnsentReport failure={failure} /> : null}
      {open.length === 0 ? <p className="card p-4 text-muted">No open reports.</p> : null}
      <ul className="grid gap-3">
        {open.map((report) => (
          <li key={report.id} className="card grid gap-2 p-4">
            <Report report={report} />
            {!can('settings.write') ? null : report.isOwn ? (
              <p className="text-muted">You marked this row. Another person decides.</p>
            ) : (
              <Review report={report} failure={failure} needsCode={needsCode} />
            )}
          </li>
        ))}
      </ul>
      {decided.length > 0 ? (
        <section aria-labelledby="decided" className="mt-6">
          <h2 id="decided" className="mb-3">
            Decided
          </h2>
          <ul className="grid gap-3">
            {decided.map((report) => (
              <li key={report.id} className="card grid gap-1 p-4">
                <Report report={report} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </AdminPage>
  )
}

const noteId = (reportId: string): string => `note-${reportId}`
const codeId = (reportId: string): string => `code-${reportId}`

/** The ids of the fields with errors. Each report has a note and a code of its own. */
function toFieldIds({ fields, values: { id = '' } }: FormFailure): Record<string, string> {
  const ids = new Map([
    ['note', noteId(id)],
    ['code', codeId(id)],
  ])
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [ids.get(field) ?? field, message]),
  )
}

/** A report that was sent without a reason, or twice. */
const UnsentReport = ({ failure: { values, fields } }: { failure: FormFailure }) => (
  <PostForm className="card mb-4 grid gap-3 p-4">
    <input type="hidden" name="intent" value="report" />
    <input type="hidden" name="caseId" value={values['caseId']} />
    <input type="hidden" name="rowKey" value={values['rowKey']} />
    <TextAreaField
      id="reason"
      name="reason"
      label="What is wrong with it?"
      rows={2}
      maxLength={rowReportLength}
      defaultValue={values['reason']}
      error={fields['reason']}
    />
    <Button className="justify-self-start">Mark as wrong</Button>
  </PostForm>
)

/** What the row says, why it is wrong, and what was decided. */
function Report({ report }: { report: RowReportView }) {
  const { list, subject, object, level, sentence, reason, status } = report
  const { reportedBy, reportedOn, reviewedBy, reviewedOn, reviewNote } = report
  return (
    <>
      <h3 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
        {ingredientText(subject)} and {ingredientText(object)}
        <Badge tone={status === 'open' ? 'warning' : 'neutral'}>{rowReportStatusLabels[status]}</Badge>
      </h3>
      <p className="text-sm text-muted wrap-anywhere">
        {sentence === null ? null : <>“{sentence}” </>}
        {listNames[list === 'ndfrt' ? 'interactions-ndfrt' : 'interactions-label']}, {level}
      </p>
      <p className="wrap-anywhere">
        <b>
          {formatDay(reportedOn)}, {reportedBy}:
        </b>{' '}
        {reason}
      </p>
      {reviewedBy !== null && reviewedOn !== null ? (
        <p className="wrap-anywhere">
          <b>
            {formatDay(reviewedOn)}, {reviewedBy}:
          </b>{' '}
          {status === 'rejected' ? 'The row is right.' : 'The row is wrong.'} {reviewNote}
        </p>
      ) : null}
    </>
  )
}

type ReviewProps = { report: RowReportView; failure: FormFailure | null; needsCode: boolean }

function Review({ report: { id, subject, object }, failure, needsCode }: ReviewProps) {
  const own = failure?.values['id'] === id ? failure : null
  return (
    <PostForm
      aria-label={`Decide: ${ingredientText(subject)} and ${ingredientText(object)}`}
      className="flex flex-wrap items-end gap-3"
    >
      <input type="hidden" name="intent" value="review" />
      <input type="hidden" name="id" value={id} />
      <Field
        id={noteId(id)}
        name="note"
        label="Note"
        hint="Optional"
        maxLength={rowReportLength}
        autoComplete="off"
        defaultValue={own?.values['note']}
        error={own?.fields['note']}
      />
      {needsCode ? <CodeField id={codeId(id)} error={own?.fields['code']} /> : null}
      <Button name="isWrong" value="yes">
        Confirm: the row is wrong
      </Button>
      <Button kind="quiet" name="isWrong" value="no">
        Reject: the row is right
      </Button>
    </PostForm>
  )
}
