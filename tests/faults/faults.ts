import type { Engine } from '#db/engine/client.ts'
import { databaseLost } from './database-lost.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './journal.ts'
import { kills } from './kills.ts'
import { lastRefill } from './last-refill.ts'
import { lastUnit } from './last-unit.ts'
import { databaseOutage, mailOutage, storageOutage, stripeOutage } from './outage.ts'
import { overload } from './overload.ts'
import { partition, partitionedTables } from './partition.ts'
import { postgresCrash } from './postgres-crash.ts'
import { powerCut } from './power-cut.ts'
import { providerDown } from './provider-down.ts'
import { rollingDeploy } from './rolling-deploy.ts'
import { replica } from './replica.ts'
import { samePayment } from './same-payment.ts'
import { sigterm } from './sigterm.ts'
import { webhooks } from './webhooks.ts'

type FaultEntry = {
  run: Fault
  /** Trials in `npm test`, in `npm run test:nightly` and in the long form. 0 skips the fault. */
  short: number
  nightly: number
  long: number
  /** Trials that share a database. The long form can be interrupted and resumed between batches. */
  batch: number
  /** The only engine for it, if any. */
  engine?: Engine
  /** How long an outage lasts, unless the long form has `--seconds`. */
  seconds?: number
}

/** Every fault by its command-line name. */
const entries = {
  kills: { run: kills, short: 3, nightly: 25, long: 1000, batch: 25 },
  // The shop's pauses between attempts are most of the time.
  'provider-down': { run: providerDown, short: 0, nightly: 9, long: 90, batch: 45 },
  'last-unit': { run: lastUnit, short: 5, nightly: 50, long: 1000, batch: 250 },
  'last-refill': { run: lastRefill, short: 5, nightly: 60, long: 1000, batch: 250 },
  'same-payment': { run: samePayment, short: 3, nightly: 20, long: 1000, batch: 250 },
  webhooks: { run: webhooks, short: 5, nightly: 60, long: 1000, batch: 500 },
  sigterm: { run: sigterm, short: 0, nightly: 4, long: 50, batch: 50 },
  // Each trial is half a minute of load.
  overload: { run: overload, short: 0, nightly: 1, long: 5, batch: 5 },
  // Requires Caddy and PgBouncer; a trial is a deploy of both shops.
  'rolling-deploy': { run: rollingDeploy, short: 0, nightly: 0, long: 10, batch: 10, engine: 'postgres' },
  // Requires root and loop devices, which a test machine need not have.
  'power-cut': { run: powerCut, short: 0, nightly: 0, long: 200, batch: 25 },
  // The same. A trial fills the disk for eight seconds.
  'disk-full': { run: diskFull, short: 0, nightly: 0, long: 20, batch: 10 },
  // Requires its own server, and starting it is most of the work.
  'postgres-crash': { run: postgresCrash, short: 0, nightly: 5, long: 20, batch: 20, engine: 'postgres' },
  // Requires psql. A trial partitions one table.
  partition: {
    run: partition,
    short: 0,
    nightly: 0,
    long: partitionedTables,
    batch: partitionedTables,
    engine: 'postgres',
  },
  // Requires two servers. A trial is one of nine events, which take up to 15 s: 20 of each.
  replica: { run: replica, short: 0, nightly: 9, long: 180, batch: 9, engine: 'postgres' },
  // Quality: ten minutes. A trial is an outage and the time to catch up.
  'stripe-outage': { run: stripeOutage, short: 0, nightly: 1, long: 3, batch: 1, seconds: 600 },
  'mail-outage': { run: mailOutage, short: 0, nightly: 1, long: 3, batch: 1, seconds: 600 },
  'storage-outage': { run: storageOutage, short: 0, nightly: 1, long: 3, batch: 1, seconds: 600 },
  // SQLite has no network.
  'database-outage': {
    run: databaseOutage,
    short: 0,
    nightly: 1,
    long: 3,
    batch: 1,
    engine: 'postgres',
    seconds: 600,
  },
  // Requires root, iproute2 and PgBouncer.
  'database-lost': {
    run: databaseLost,
    short: 0,
    nightly: 0,
    long: 5,
    batch: 1,
    engine: 'postgres',
    seconds: 120,
  },
} satisfies Record<string, FaultEntry>

export type FaultName = keyof typeof entries
export const faults: Readonly<Record<FaultName, FaultEntry>> = entries
