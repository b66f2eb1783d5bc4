import { ruleChangeSchema } from '#domain/alerts/rule-change-schema.ts'
import { can } from '#domain/accounts/permissions.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import { getAlertReport, reportPeriods } from '#server/alerts/get-alert-report.ts'
import { turnDownRule } from '#server/alerts/turn-down-rule.ts'
import { listSettingChanges } from '#server/settings/list-setting-changes.ts'
import { useLocation } from 'react-router'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/alerts'
import { AlertReport } from './AlertReport.tsx'
import { RuleHistory } from './RuleHistory.tsx'

export const loader = adminLoader('records.read', async (ctx, { request }: Route.LoaderArgs) => {
  const asked = Number(new URL(request.url).searchParams.get('months'))
  const months = reportPeriods.find((period) => period === asked) ?? reportPeriods[1]
  const canChange = can(ctx.user, 'settings.write')
  const [rows, history] = await Promise.all([
    getAlertReport(ctx, { months }),
    canChange ? listSettingChanges(ctx, { before: null, name: 'turnedDownAlerts' }) : null,
  ])
  return {
    rows,
    months,
    periods: [...reportPeriods],
    canChange,
    changes: history?.changes ?? [],
    needsCode: canChange && needsRecentCode(ctx),
  }
})

export const action = adminAction('settings.write', (ctx, args: Route.ActionArgs, form) =>
  formAction(form, ruleChangeSchema, async ({ code, isTurnedDown, ...rule }) => {
    await turnDownRule(await withRecentCode(ctx, code), { rule, isTurnedDown })
    const title = isTurnedDown ? 'Alerts downgraded' : 'Alerts restored'
    return redirectWithToast(args, adminPaths.alerts, { kind: 'success', title })
  }),
)

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** How often the alerts of each rule came up, and which rules are turned down. */
export default function AlertsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, months, periods, canChange, changes, needsCode } = loaderData
  const { key } = useLocation()
  const failure = actionData ?? null
  return (
    <AdminPage
      title="Alerts"
      actions={
        <nav aria-label="Period" className="tab-links">
          {periods.map((period) => (
            <Link
              key={period}
              to={adminPaths.alertsOf(period)}
              aria-current={period === months ? 'page' : undefined}
            >
              {period === 1 ? 'This month' : `${period} months`}
            </Link>
          ))}
        </nav>
      }
    >
      {/* Each response remounts the forms, with the rules as they are now. */}
      <div key={key} className="grid gap-6">
        <p className="max-w-3xl text-muted">
          How often each rule raised an alert on a line that a pharmacist cleared or refused, and on an order
          whose customer confirmed reading it. The counts name no patient and no medicine. An alert from two
          lists counts for both. Overridden alerts were cleared with a decision. Alerts of a downgraded rule
          are collapsed and need no decision. Allergies and recalls can’t be downgraded.
        </p>
        {failure ? (
          <Alert
            kind="error"
            title={Object.values(failure.fields)[0] ?? failure.message ?? 'The rule hasn’t changed'}
          />
        ) : null}
        <AlertReport rows={rows} canChange={canChange} needsCode={needsCode} />
        {canChange ? <RuleHistory changes={changes} /> : null}
      </div>
    </AdminPage>
  )
}
