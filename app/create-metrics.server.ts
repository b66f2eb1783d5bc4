import { getPoolState, type Db } from '#db/engine/client.ts'
import { getReplicaPoolState, getReplicaState } from '#db/engine/replica.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import type { Metrics } from '#server/metrics.ts'
import { getShopGauges } from '#server/monitoring/get-shop-gauges.ts'
import { admitAll, type Admission } from './http/watch-load.ts'

/** Metrics of a process, or of one app in a process of several. */
export const createMetrics = (
  db: Db,
  {
    process = false,
    admission = admitAll,
    jobsDb = db,
  }: { process?: boolean; admission?: Admission; jobsDb?: Db } = {},
): Metrics =>
  prometheusMetrics({
    readShop: () => getShopGauges(db, { now: new Date(), version: __BUILD_ID__ }),
    poolStates: () => ({
      requests: getPoolState(db),
      jobs: jobsDb === db ? null : getPoolState(jobsDb),
      replica: getReplicaPoolState(db),
    }),
    pressure: admission.pressure,
    replicaState: () => getReplicaState(db),
    process,
  })
