import { refillProblem } from '#domain/dispensing/medication.ts'
import { fillsOfPatient, lastValidDay, nextFillDay } from '#domain/dispensing/fill-rules.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { readTherapy } from './read-therapy.ts'

/** A refill that a customer can order, or will be able to. */
export type Refill = {
  itemId: string
  /** The fill that the refill follows. A reminder is sent once for it. */
  afterFillId: string
  /** The first day on which the refill can be ordered, `YYYY-MM-DD`. */
  opensOn: string
  /** Whether it can be ordered now. */
  isOpen: boolean
  /** The last day on which it can be ordered. */
  validUntil: string
}

/**
 * A customer's refills after a fill that was dispensed, for reminders. Items without units left,
 * that are closed or that end before the refill opens have none. Empty for a deleted account.
 * Not audited: no one sees it.
 */
export async function listRefills(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'shop'>,
  userId: string,
): Promise<Refill[]> {
  const key = await openUserKey(ctx, userId)
  if (!key) return []
  const { items, fills } = await readTherapy(ctx, key, userId)
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  return items.flatMap((item): Refill[] => {
    const after = fills
      .filter(({ itemId, dispensedAt }) => itemId === item.id && dispensedAt !== null)
      .toSorted((a, b) => Number(a.dispensedAt) - Number(b.dispensedAt))
      .at(-1)
    const opensOn = nextFillDay(item.medicine.ingredientSet, fillsOfPatient(item, fills), opensAtPercent)
    const problem = refillProblem(item, fills, { now: ctx.now, opensAtPercent })
    const validUntil = lastValidDay(item)
    if (!after || opensOn === null || opensOn > validUntil) return []
    if (problem !== null && problem.kind !== 'too early') return []
    return [{ itemId: item.id, afterFillId: after.id, opensOn, isOpen: problem === null, validUntil }]
  })
}
