import type { CaseAlert } from '#domain/alerts/case-alert.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { rowReportLength } from '#domain/screening/row-report-labels.ts'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'

/** Marks a source of an alert as wrong, for an admin to decide. */
export function ReportRow({ alert, caseId }: { alert: CaseAlert; caseId: string }) {
  const rows = alert.sources.flatMap(({ rowKey, text }) => (rowKey === null ? [] : { rowKey, text }))
  const [first] = rows
  if (!first) return null
  return (
    <Disclosure summary="Mark as wrong" className="print:hidden">
      <PostForm
        noValidate={false}
        action={adminPaths.rowReports}
        aria-label={`Mark as wrong: ${alert.title}`}
        className="grid gap-2"
      >
        <input type="hidden" name="intent" value="report" />
        <input type="hidden" name="caseId" value={caseId} />
        {rows.length === 1 ? (
          <input type="hidden" name="rowKey" value={first.rowKey} />
        ) : (
          <SelectField label="Source" name="rowKey" id={`row-${alert.id}`}>
            {rows.map(({ rowKey, text }) => (
              <option key={rowKey} value={rowKey}>
                {text}
              </option>
            ))}
          </SelectField>
        )}
        <TextAreaField
          id={`reason-of-row-${alert.id}`}
          name="reason"
          label="What is wrong with it?"
          hint="An admin decides. The alert stays until then. Don’t name the patient."
          rows={2}
          required
          maxLength={rowReportLength}
        />
        <Button className="justify-self-start">Mark as wrong</Button>
      </PostForm>
    </Disclosure>
  )
}
