import type { PoolState } from '#db/engine/client.ts'
import type { ReplicaState } from '#domain/replica.ts'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { withTimeout } from '../../with-timeout.ts'
import { shopEvents, type Metrics, type ObservedRequest, type ShopEvent } from '../../metrics.ts'
import type { ShopGauges } from '../../monitoring/get-shop-gauges.ts'
import { gatherFromWorkers, reportToPrimary } from './worker-metrics.ts'

/** From an answer out of a cache to the longest that a proxy waits. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Prometheus scrapes every 15 s. Several scrapers share one reading of the database. */
const gaugesMaxAgeMs = 5000

/** Less than a scrape waits. A database that hangs must not hide the rest of the metrics. */
const shopLimitMs = 3000

/** Of several workers, alerts need the worst. By default, these are the sum and the mean. */
const worstOfWorkers = ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export type MetricsParts = {
  /** Reads what is in the database. One process reads it for all. */
  readShop: () => Promise<ShopGauges>
  /** The connections of each pool; null for one that is not open, as on SQLite. */
  poolStates: () => Record<string, PoolState | null>
  /** How many requests overload refuses now: 0 none, 3 all that may be. */
  pressure: () => number
  /** The replica; null without one. */
  replicaState?: () => ReplicaState | null
  /** Also measure the process: memory, CPU, event loop. Once a process. */
  process?: boolean
}

/** Metrics in a registry of their own, for one app. */
export function prometheusMetrics({
  readShop,
  poolStates,
  pressure,
  replicaState = () => null,
  process = false,
}: MetricsParts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (process) {
    collectDefaultMetrics({ register: registry })
    for (const name of worstOfWorkers)
      Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' })
    reportToPrimary(registry)
  }

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered requests by route pattern, method and class of status',
    labelNames: ['route', 'method', 'status'],
    buckets: secondsBuckets,
    registers,
  })
  const refusals = new Counter({
    name: 'meridian_refusals_total',
    help: 'Requests refused, by status',
    labelNames: ['code'],
    registers,
  })
  const events = new Map(
    Object.entries(shopEvents).map(([name, help]) => [
      name,
      new Counter({ name: `meridian_${name}_total`, help, registers }),
    ]),
  )
  const jobFailures = new Counter({
    name: 'meridian_job_failures_total',
    help: 'Failed runs of background jobs',
    // Not `job`: Prometheus has a label of that name.
    labelNames: ['run'],
    registers,
  })
  const jobFailing = new Gauge({
    name: 'meridian_job_failing',
    help: 'Whether the last run of a background job failed, in any process of this machine',
    labelNames: ['run'],
    registers,
    aggregator: 'max',
  })
  const connections = new Gauge({
    name: 'meridian_database_connections',
    help: 'Connections of each database pool, by state; waiting counts callers without one',
    labelNames: ['pool', 'state'],
    registers,
    collect: () => {
      // A lost replica has no pool.
      connections.reset()
      for (const [pool, states] of Object.entries(poolStates()))
        for (const [state, value] of Object.entries(states ?? {})) connections.set({ pool, state }, value)
    },
  })

  const overload: Gauge = new Gauge({
    name: 'meridian_overload_pressure',
    help: 'Requests refused by overload: 1 all browsing, 2 all but sign-in and checkout, 3 these too',
    registers,
    aggregator: 'max',
    collect: (): void => overload.set(pressure()),
  })
  const shed = new Counter({
    name: 'meridian_shed_total',
    help: 'Requests refused because of overload, by class',
    labelNames: ['class'],
    registers,
  })
  registerReplica(registry, replicaState)

  // Prometheus' client hashes the labels of each observation. The series are few, so they are kept.
  const series = new Map<string, { observe: (seconds: number) => void }>()
  const seriesOf = ({ route, method, status }: ObservedRequest) => {
    const labels = {
      route,
      method: methods.has(method) ? method : 'other',
      status: `${Math.floor(status / 100)}xx`,
    }
    const key = `${labels.method} ${labels.status} ${route}`
    let found = series.get(key)
    if (!found) series.set(key, (found = requests.labels(labels)))
    return found
  }

  let cached: { at: number; text: Promise<string> } | null = null
  const readShopText = (): Promise<string> => {
    const now = performance.now()
    if (!cached || now - cached.at > gaugesMaxAgeMs) {
      cached = { at: now, text: readShop().then(formatShopGauges) }
      cached.text.catch(() => (cached = null))
    }
    return cached.text
  }

  return {
    observeRequest: (request) => {
      seriesOf(request).observe(request.seconds)
      if (request.status >= 400 && request.status < 500) refusals.inc({ code: request.status })
      else if (request.status === 503 || request.status === 507) refusals.inc({ code: request.status })
    },
    count: (event: ShopEvent, by = 1) => events.get(event)?.inc(by),
    noteJobRun: (job, outcome) => {
      const failed = outcome === 'failed' ? 1 : 0
      jobFailures.inc({ run: job }, failed)
      jobFailing.set({ run: job }, failed)
    },
    countShed: (requestClass) => shed.inc({ class: requestClass }),
    read: async () => {
      const all = await gatherFromWorkers(registry)
      const text = all ? await AggregatorRegistry.aggregate(all).metrics() : await registry.metrics()
      // Only now: otherwise the gauges of the pool would count the connection of this reading. The
      // database may be what is down: the rest of the metrics must still be read.
      const shop = withTimeout(
        shopLimitMs,
        readShopText(),
        () => new Error('The database does not answer.'),
      ).catch(() => 'meridian_database_up 0\n')
      return `${text}\n${await shop}`
    },
  }
}

/** Of several processes, the worst counts. Without a replica, there are no values. */
function registerReplica(registry: Registry, getState: () => ReplicaState | null): void {
  const registers = [registry]
  const lag = new Gauge({
    name: 'meridian_replica_lag_seconds',
    help: 'Upper bound of the replica lag, as this process measures it',
    aggregator: 'max',
    registers,
    collect: () => {
      const seconds = getState()?.lagSeconds ?? null
      if (seconds === null) lag.remove()
      else lag.set(seconds)
    },
  })
  const inUse = new Gauge({
    name: 'meridian_replica_in_use',
    help: 'Whether reads that tolerate lag use the replica',
    aggregator: 'min',
    registers,
    collect: () => {
      const state = getState()
      if (state) inUse.set(state.problem === null ? 1 : 0)
      else inUse.remove()
    },
  })
  const fallbacks = new Counter({
    name: 'meridian_replica_fallbacks_total',
    help: 'Reads that failed on the replica and ran on the primary',
    registers,
    collect: () => {
      fallbacks.reset()
      fallbacks.inc(getState()?.fallbacks ?? 0)
    },
  })
}

/** The gauges of the database's content, in a registry that is made for each reading. */
async function formatShopGauges({
  queues,
  runs,
  lists,
  audit,
  partitions,
  build,
}: ShopGauges): Promise<string> {
  const registry = new Registry()
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })

  gauge('meridian_database_up', 'Whether the database answered this reading', []).set(1)
  const waiting = gauge('meridian_queue_waiting', 'Rows that are waiting in a queue', ['queue'])
  const oldest = gauge('meridian_queue_oldest_seconds', 'How long the oldest due row has waited', ['queue'])
  const retried = gauge(
    'meridian_queue_retried_seconds',
    'How long the oldest row that failed and will be tried again has waited',
    ['queue'],
  )
  const failed = gauge('meridian_queue_failed', 'Rows whose retries have ended and that need manual action', [
    'queue',
  ])
  for (const { name: queue, ...state } of queues) {
    waiting.set({ queue }, state.waiting)
    oldest.set({ queue }, state.oldestSeconds)
    retried.set({ queue }, state.retriedSeconds)
    failed.set({ queue }, state.failed)
  }
  const succeeded = gauge('meridian_run_success_timestamp_seconds', 'When it last succeeded', ['kind', 'run'])
  const isFailing = gauge('meridian_run_failing', 'Whether the last run failed', ['kind', 'run'])
  for (const { kind, name: run, succeededAt, isFailing: fails } of runs) {
    if (succeededAt) succeeded.set({ kind, run }, succeededAt.getTime() / 1000)
    isFailing.set({ kind, run }, fails ? 1 : 0)
  }
  const listDates = gauge(
    'meridian_list_timestamp_seconds',
    'The date of a screening list, or of its import if it has none',
    ['list'],
  )
  for (const { name: list, date } of lists) listDates.set({ list }, date.getTime() / 1000)
  gauge('meridian_audit_pending_seconds', 'Age of the oldest audit row outside the chain', []).set(
    audit.pendingSeconds,
  )
  if (audit.findings !== null) {
    gauge('meridian_audit_findings', 'Findings of the last check of the audit log', []).set(audit.findings)
  }
  const partitionEnds = gauge(
    'meridian_partition_end_timestamp_seconds',
    'When the partitions of a table end, if it is partitioned by time',
    ['table'],
  )
  const partitionNumbers = gauge(
    'meridian_partition_numbers_left',
    'How many more numbers the partitions of a table take, if it is partitioned by number',
    ['table'],
  )
  for (const { table, end } of partitions) {
    if ('at' in end) partitionEnds.set({ table }, end.at.getTime() / 1000)
    else partitionNumbers.set({ table }, end.numbersLeft)
  }
  gauge('meridian_build_info', 'Always 1', ['version', 'engine', 'migration', 'node']).set(build, 1)
  return registry.metrics()
}
