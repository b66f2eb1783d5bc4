import { dayMs } from '#domain/days.ts'
import type { AdjustmentType } from '#domain/inventory/inventory.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { seededRandom, type Random } from '#domain/seeded-random.ts'
import { people } from './people.ts'

/** One event of the demo's past. The name makes it happen once, however often the demo starts. */
export type HistoryStep = { name: string; at: Date } & (
  | { kind: 'stock'; variant: number; change: number; type: AdjustmentType; notes: string }
  | ({ person: number } & (
      | { kind: 'join' }
      | { kind: 'order'; order: number; lines: readonly { variant: number; quantity: number }[] }
      | { kind: 'status'; order: number; status: OrderStatus; trackingNumber: string | null }
      | { kind: 'refund'; order: number }
      | { kind: 'question' | 'answer'; order: number; text: string }
    ))
)
export type StepOf<Kind extends HistoryStep['kind']> = Extract<HistoryStep, { kind: Kind }>

export const historyDays = 120
export const historyOrders = 400
/** The variants that it sells, by their place in the catalog's list. */
export const historyVariants = 48
/** The name of the last step: once it is done, the history is complete. */
export const lastStep = 'history-end'

const hourMs = 3600 * 1000
/** Sunday first. People order medicines on weekdays. */
const weekdayWeights = [0.7, 1.25, 1.2, 1.1, 1.05, 1, 0.65]
/** The last day sells this many times what the first one did. */
const growth = 2.1
/** Boston's hours of UTC in which people order, the busy ones more often. */
const orderHours = [12, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 19, 20, 21, 22, 23, 23, 24, 24, 25]
const share = { cancelled: 0.05, refunded: 0.04, questioned: 0.07 }

type Conversation = readonly [question: string, answer: string]
const conversations: readonly [Conversation, ...Conversation[]] = [
  [
    'I’ll be away next week. Can you hold this order for two days?',
    'Of course. We’ll ship it on the day you are back.',
  ],
  [
    'The tracking page has not changed since yesterday. Is the package on its way?',
    'Yes, the carrier scanned it this morning. It should arrive tomorrow.',
  ],
  [
    'Can I get these bottles without child-resistant caps?',
    'We can do that for your next order. We noted your request in your profile.',
  ],
  ['Do you need me to sign for the delivery?', 'No, the carrier leaves it in your mailbox or at the door.'],
  [
    'Is there a way to get an email when this is back in stock?',
    'Not yet. We expect more next week, so please look again then.',
  ],
]

/**
 * What happened in the shop in the 120 days before `now`, the oldest first: the same for the same
 * time, and nothing within the last half hour.
 * @param orders how many orders; those of the last half hour are left out
 */
export function planHistory(now: Date, orders = historyOrders): HistoryStep[] {
  const random = seededRandom('meridian-history')
  const latest = now.getTime() - hourMs / 2
  const startOfToday = Math.floor(now.getTime() / dayMs) * dayMs
  const steps: HistoryStep[] = planStock(random, startOfToday)
  const joined = new Set<number>()
  let order = 0
  for (const { daysAgo, count } of countByDay(random, now, orders)) {
    for (let i = 0; i < count; i++) {
      const minutes = (orderHours[random.below(orderHours.length)] ?? 12) * 60 + random.below(60)
      const at = startOfToday - daysAgo * dayMs + minutes * 60_000
      const person = pickPerson(random, daysAgo)
      const planned = planOrder(random, { order: order++, person, at, latest })
      if (at > latest) continue
      if (!joined.has(person)) {
        joined.add(person)
        const name = `history-person-${person}`
        steps.push({ kind: 'join', name, at: new Date(at - hourMs / 4), person })
      }
      steps.push(...planned.filter((step) => step.at.getTime() <= latest))
    }
  }
  const end = { kind: 'stock', variant: 0, change: 1, type: 'adjustment', notes: 'Count' } as const
  steps.push({ ...end, name: lastStep, at: new Date(latest) })
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** The days from the first to today with their number of orders, together `orders`. */
function countByDay(random: Random, now: Date, orders: number): { daysAgo: number; count: number }[] {
  const weights = Array.from({ length: historyDays }, (_, day) => {
    const daysAgo = historyDays - 1 - day
    const weekday = new Date(now.getTime() - daysAgo * dayMs).getUTCDay()
    const trend = 1 + ((growth - 1) * day) / historyDays
    return trend * (weekdayWeights[weekday] ?? 1) * (0.7 + random.below(60) / 100)
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return weights.map((weight, day) => {
    const before = Math.round((sum / total) * orders)
    sum += weight
    return { daysAgo: historyDays - 1 - day, count: Math.round((sum / total) * orders) - before }
  })
}

/** More customers over time, and the earlier ones return most. */
function pickPerson(random: Random, daysAgo: number): number {
  const elapsed = (historyDays - daysAgo) / historyDays
  const known = Math.ceil(people.length * Math.min(1, 0.3 + 0.8 * elapsed))
  return Math.min(random.below(known), random.chance(0.3) ? random.below(known) : known)
}

/** Deliveries, and what a count corrects. Some variants are left nearly sold out. */
function planStock(random: Random, startOfToday: number): HistoryStep[] {
  const steps: HistoryStep[] = []
  const add = (daysAgo: number, variant: number, change: number, type: AdjustmentType, notes: string) => {
    const at = new Date(startOfToday - daysAgo * dayMs + 13 * hourMs + random.below(120) * 60_000)
    steps.push({ kind: 'stock', name: `history-stock-${steps.length}`, at, variant, change, type, notes })
  }
  for (let variant = 0; variant < historyVariants; variant++) {
    add(historyDays + 1, variant, 60 + random.below(60), 'purchase', 'Delivery')
    if (random.chance(0.7)) add(30 + random.below(60), variant, 24 + random.below(24), 'purchase', 'Delivery')
    if (random.chance(0.2))
      add(5 + random.below(100), variant, -1 - random.below(3), 'damaged', 'Damaged in the warehouse')
    if (random.chance(0.2)) add(5 + random.below(100), variant, -1 - random.below(2), 'adjustment', 'Count')
  }
  return steps
}

function planOrder(
  random: Random,
  { order, person, at, latest }: { order: number; person: number; at: number; latest: number },
): HistoryStep[] {
  const name = `history-order-${order}`
  const lines = new Map<number, number>()
  for (let i = random.chance(0.25) ? 2 : 1; i > 0; i--) {
    // A few medicines sell most.
    const variant = Math.floor(historyVariants * (random.below(1000) / 1000) ** 2)
    lines.set(variant, 1 + random.below(2))
  }
  const steps: HistoryStep[] = [
    {
      kind: 'order',
      name,
      at: new Date(at),
      order,
      person,
      lines: [...lines].map(([variant, quantity]) => ({ variant, quantity })),
    },
  ]
  const after = (delayMs: number, what: string) => ({
    name: `${name}-${what}`,
    at: new Date(at + delayMs),
    order,
    person,
  })
  const setStatus = (delayMs: number, status: OrderStatus): void => {
    const trackingNumber = status === 'shipped' ? `94001000000000${String(order).padStart(8, '0')}` : null
    steps.push({ kind: 'status', ...after(delayMs, status), status, trackingNumber })
  }
  // Drawn for each order, so that the next ones do not depend on what happens to it.
  const [isCancelled, isRefunded, hasQuestion] = [share.cancelled, share.refunded, share.questioned].map(
    (part) => random.chance(part),
  )
  const conversation = random.pick(conversations)
  const packed = hoursToNextWorkday(at) * hourMs + random.below(180) * 60_000
  const travels = (2 + random.below(3)) * dayMs + random.below(300) * 60_000
  if (hasQuestion) {
    const [question, answer] = conversation
    steps.push({ kind: 'question', ...after(hourMs, 'question'), text: question })
    // The latest questions still wait.
    if (at < latest - 3 * dayMs) steps.push({ kind: 'answer', ...after(packed, 'answer'), text: answer })
  }
  if (isCancelled) setStatus(2 * hourMs, 'cancelled')
  else if (at > latest - dayMs / 2 && order % 3 === 0) setStatus(hourMs / 2, 'pending')
  else {
    setStatus(packed + hourMs, 'shipped')
    setStatus(packed + hourMs + travels, 'delivered')
    if (isRefunded) steps.push({ kind: 'refund', ...after(packed + travels + 2 * dayMs, 'refund') })
  }
  return steps
}

/** Until 14:00 UTC of the next day that is not a Saturday or Sunday. */
function hoursToNextWorkday(at: number): number {
  for (let day = 1; ; day++) {
    const morning = Math.floor(at / dayMs) * dayMs + day * dayMs + 14 * hourMs
    const weekday = new Date(morning).getUTCDay()
    if (weekday !== 0 && weekday !== 6) return (morning - at) / hourMs
  }
}
