import type { CaseCandidate, CaseLine } from '#domain/dispensing/case-line.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import type { OrderAlerts } from '../alerts/order-alerts.ts'

/**
 * The lines with the alerts of each item that could fill them, and with what could not be checked
 * for its patient. The case's own are those of the item that a line names; another item can be for
 * another patient, or meet other supplies. The clearance asks for the decisions of the item that is
 * chosen, so they can be made beside it.
 */
export const addCandidateAlerts = (
  items: readonly Item[],
  { lines, alerts }: { lines: readonly CaseLine[]; alerts: OrderAlerts },
): Promise<CaseLine[]> =>
  Promise.all(
    lines.map(async (line) => {
      if (!isUndecided(line.status)) return line
      const candidates = line.candidates.map(async (candidate): Promise<CaseCandidate> => {
        const { itemId, isPossible } = candidate
        if (!isPossible || itemId === alerts.itemIdOf(line.id)) return candidate
        const item = items.find(({ id }) => id === itemId)
        return item ? { ...candidate, ...(await alerts.screenWith(line.id, item)) } : candidate
      })
      return { ...line, candidates: await Promise.all(candidates) }
    }),
  )
