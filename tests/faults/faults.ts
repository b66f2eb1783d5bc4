import type { Fault } from './journal.ts'
import { kills } from './kills.ts'
import { lastUnit } from './last-unit.ts'
import { samePayment } from './same-payment.ts'

type Listed = {
  run: Fault
  /** How often in `npm test`, and how often in the long form. */
  short: number
  long: number
  /** So many trials share a database; the long form is broken off and resumed between two such batches. */
  batch: number
}

/** Every fault by the name that the command line knows it by. */
export const faults = {
  kills: { run: kills, short: 25, long: 300, batch: 25 },
  'last-unit': { run: lastUnit, short: 50, long: 1000, batch: 250 },
  'same-payment': { run: samePayment, short: 20, long: 1000, batch: 250 },
} as const satisfies Record<string, Listed>
