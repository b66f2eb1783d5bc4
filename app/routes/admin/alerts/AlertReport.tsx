import type { AlertReportRow } from '#domain/alerts/alert-report.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'

type AlertReportProps = { rows: readonly AlertReportRow[]; canChange: boolean; needsCode: boolean }

/** The rules with their sums, the most shown first. */
export const AlertReport = ({ rows, canChange, needsCode }: AlertReportProps) =>
  rows.length === 0 ? (
    <p className="card p-4 text-muted">No line with an alert was decided in this time.</p>
  ) : (
    <div className="data-grid">
      <table aria-label="Alerts by rule">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Level</th>
            <th scope="col" className="text-end tabular-nums">
              Shown
            </th>
            <th scope="col" className="text-end tabular-nums">
              Confirmed by customer
            </th>
            <th scope="col" className="text-end tabular-nums">
              Overridden
            </th>
            <th scope="col" className="text-end tabular-nums">
              Refused
            </th>
            {canChange ? <th scope="col">Actions</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.label} ${row.level}`}>
              <td className="min-w-44">
                {row.label} {row.isTurnedDown ? <Badge tone="neutral">Downgraded</Badge> : null}
              </td>
              <td className="capitalize">{row.level}</td>
              <td className="text-end tabular-nums">{row.shown}</td>
              <td className="text-end tabular-nums">{row.confirmed}</td>
              <td className="text-end tabular-nums">{row.overridden}</td>
              <td className="text-end tabular-nums">{row.refused}</td>
              {canChange ? (
                <td>
                  {row.rule ? (
                    <ChangeRule row={row} rule={row.rule} needsCode={needsCode} />
                  ) : (
                    <span className="text-muted">Always shown</span>
                  )}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

type ChangeRuleProps = { row: AlertReportRow; rule: NonNullable<AlertReportRow['rule']>; needsCode: boolean }

const ChangeRule = ({ row, rule, needsCode }: ChangeRuleProps) => (
  <PostForm action={adminPaths.alerts} className="flex flex-wrap items-center gap-2">
    <input type="hidden" name="kind" value={rule.kind} />
    <input type="hidden" name="list" value={rule.list ?? ''} />
    <input type="hidden" name="grade" value={rule.grade ?? ''} />
    <input type="hidden" name="isTurnedDown" value={row.isTurnedDown ? 'off' : 'on'} />
    {needsCode ? (
      <input
        name="code"
        className="input w-28"
        aria-label={`Code to change ${row.label}`}
        placeholder="Code"
        autoComplete="one-time-code"
      />
    ) : null}
    <Button kind="quiet" aria-label={`${row.isTurnedDown ? 'Restore' : 'Downgrade'}: ${row.label}`}>
      {row.isTurnedDown ? 'Restore' : 'Downgrade'}
    </Button>
  </PostForm>
)
