import type { Engine } from '#db/engine/client.ts'
import type { Fault } from './journal.ts'
import { kills } from './kills.ts'
import { lastUnit } from './last-unit.ts'
import { postgresCrash } from './postgres-crash.ts'
import { powerCut } from './power-cut.ts'
import { samePayment } from './same-payment.ts'
import { webhooks } from './webhooks.ts'

type Listed = {
  run: Fault
  /** Trials in `npm test`, in `npm run test:nightly` and in the long form. 0 skips the fault. */
  short: number
  nightly: number
  long: number
  /** So many trials share a database; the long form is broken off and resumed between two such batches. */
  batch: number
  /** Where it makes sense; everywhere unless said. */
  engine?: Engine
}

/** Every fault by the name that the command line knows it by. */
const listed = {
  kills: { run: kills, short: 8, nightly: 25, long: 300, batch: 25 },
  'last-unit': { run: lastUnit, short: 16, nightly: 50, long: 1000, batch: 250 },
  'same-payment': { run: samePayment, short: 8, nightly: 20, long: 1000, batch: 250 },
  webhooks: { run: webhooks, short: 20, nightly: 60, long: 1000, batch: 500 },
  // Takes root and loop devices, which a machine that runs the tests need not have.
  'power-cut': { run: powerCut, short: 0, nightly: 0, long: 50, batch: 25 },
  // Takes a server of its own, whose making is most of the work.
  'postgres-crash': { run: postgresCrash, short: 0, nightly: 0, long: 20, batch: 20, engine: 'postgres' },
} satisfies Record<string, Listed>

export type FaultName = keyof typeof listed
export const faults: Readonly<Record<FaultName, Listed>> = listed
