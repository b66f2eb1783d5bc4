import { addAlertCounts, sumAlertCounts } from '#db/alerts/alert-counts.ts'
import { countAlerts, type AlertCount, type LineOutcome } from '#domain/alerts/alert-counts.ts'
import { toReport, type AlertReportRow } from '#domain/alerts/alert-report.ts'
import type { Alert } from '#domain/screening/alert.ts'
import type { Context } from '../context.ts'
import { countEvent } from '../metrics.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'

/** How many months the report can cover, this one included. */
export const reportPeriods = [1, 3, 12] as const

const monthOf = (date: Date): string => date.toISOString().slice(0, 7)

/**
 * How often the alerts of each rule were shown when pharmacists decided on lines or customers
 * confirmed reading them, overridden and refused. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function getAlertReport(
  ctx: Context,
  { months }: { months: number },
): Promise<AlertReportRow[]> {
  requirePermission(ctx, 'records.read')
  const first = new Date(Date.UTC(ctx.now.getUTCFullYear(), ctx.now.getUTCMonth() - (months - 1), 1))
  const [counts, { turnedDownAlerts }] = await Promise.all([
    sumAlertCounts(ctx.db, monthOf(first)),
    getSettings(ctx),
  ])
  return toReport(counts, turnedDownAlerts)
}

/** Adds a decided line's alerts to the report, in the transaction that decides it. */
export const recordAlertOutcome = (
  ctx: Pick<Context, 'db' | 'now' | 'metrics'>,
  alerts: readonly Alert[],
  outcome: LineOutcome,
): Promise<void> => addToAlertReport(ctx, countAlerts(alerts, outcome))

/** Adds to the report of this month, in the transaction that decides a line or places an order. */
export function addToAlertReport(
  ctx: Pick<Context, 'db' | 'now' | 'metrics'>,
  counts: readonly AlertCount[],
): Promise<void> {
  const shown = counts.reduce((sum, count) => sum + count.shown, 0)
  countEvent(ctx, 'alerts_shown', shown)
  return addAlertCounts(
    ctx.db,
    counts.map((count) => ({ ...count, month: monthOf(ctx.now) })),
  )
}
