import type { CaseCandidate, CaseLine } from '#domain/dispensing/case-line.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { readOrderAlerts, type OrderAlerts, type OrderToScreen } from '../alerts/order-alerts.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'

/**
 * The lines with the alerts of each item that could fill them. The case's own alerts are those of
 * the item that a line names; another item can be for another patient, or meet other supplies. The
 * clearance asks for the decisions of the item that is chosen, so they can be made beside it.
 */
export const addCandidateAlerts = (
  ctx: Context,
  key: KeyRing,
  screened: OrderToScreen,
  { lines, alerts }: { lines: readonly CaseLine[]; alerts: OrderAlerts },
): Promise<CaseLine[]> =>
  Promise.all(
    lines.map(async (line) => {
      if (!isUndecided(line.status)) return line
      const candidates = line.candidates.map(async (candidate): Promise<CaseCandidate> => {
        const { itemId, isPossible } = candidate
        if (!isPossible || itemId === alerts.itemIdOf(line.id)) return candidate
        const item = screened.therapy.items.find(({ id }) => id === itemId)
        if (!item) return candidate
        const chosenItems = new Map([[line.id, item]])
        const { view } = await readOrderAlerts(ctx, key, { ...screened, chosenItems })
        return { ...candidate, alerts: view.alerts.filter(({ lineIds }) => lineIds.includes(line.id)) }
      })
      return { ...line, candidates: await Promise.all(candidates) }
    }),
  )
