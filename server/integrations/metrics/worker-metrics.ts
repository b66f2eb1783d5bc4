import { AggregatorRegistry, type Registry } from 'prom-client'
import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'

/** A worker that is busy for longer is left out of the answer, and its last values count. */
const answerLimitMs = 2000
/** Dead workers whose last values are stored one by one. */
const maxDeparted = 20

type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>
/** The messages between the primary process and its workers. */
type Message =
  | { metrics: 'gather' | 'read'; id: string }
  | { metrics: 'snapshot'; id: string; snapshot: Snapshot }
  | { metrics: 'all'; id: string; snapshots: Snapshot[] }

const asMessage = (message: unknown): Message | null =>
  typeof message === 'object' && message !== null && 'metrics' in message ? (message as Message) : null

const answers = new Map<string, (snapshots: Snapshot[]) => void>()

/** The registry that this worker reports. A process has one. */
let reported: Registry | null = null

async function answerPrimary(message: Message | null): Promise<void> {
  if (message?.metrics === 'all') answers.get(message.id)?.(message.snapshots)
  if (message?.metrics !== 'read' || !reported) return
  const snapshot = await reported.getMetricsAsJSON()
  process.send?.({ metrics: 'snapshot', id: message.id, snapshot } satisfies Message)
}

/** Answers the primary process for this worker. Call it once, when the worker starts. */
export function reportToPrimary(registry: Registry): void {
  if (!cluster.isWorker) return
  reported = registry
  process.on('message', (message) => void answerPrimary(asMessage(message)))
}

/**
 * The metrics of all processes of this machine, gathered by the primary process; null when this is
 * the only one.
 */
export async function gatherFromWorkers(registry: Registry): Promise<Snapshot[] | null> {
  if (!cluster.isWorker || reported !== registry) return null
  const id = randomUUID()
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      answers.set(id, resolve)
      timer = setTimeout(() => reject(new Error('The primary process did not answer.')), 2 * answerLimitMs)
      process.send?.({ metrics: 'gather', id } satisfies Message)
    })
  } finally {
    clearTimeout(timer)
    answers.delete(id)
  }
}

/** The values that outlive a process. A gauge of a dead process means nothing. */
const lasting = (snapshot: Snapshot): Snapshot =>
  snapshot.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')

/**
 * Gathers the workers' metrics in the primary process. What a dead worker had counted when it was
 * last read stays in the sums, so that no counter falls when a worker is replaced.
 */
export function gatherInPrimary(): void {
  const last = new Map<number, Snapshot>()
  const departed: Snapshot[] = []
  const waiting = new Map<string, (worker: Worker, snapshot: Snapshot) => void>()

  async function gather(): Promise<Snapshot[]> {
    const id = randomUUID()
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    const open = new Set(workers.map((worker) => worker?.id))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, answerLimitMs)
      waiting.set(id, (worker, snapshot) => {
        last.set(worker.id, snapshot)
        open.delete(worker.id)
        if (open.size > 0) return
        clearTimeout(timer)
        resolve()
      })
      for (const worker of workers) worker?.send({ metrics: 'read', id } satisfies Message)
    })
    waiting.delete(id)
    return [...departed, ...last.values()]
  }

  cluster.on('message', (worker, text: unknown) => {
    const message = asMessage(text)
    if (message?.metrics === 'snapshot') waiting.get(message.id)?.(worker, message.snapshot)
    if (message?.metrics !== 'gather') return
    const { id } = message
    void gather().then((snapshots) => {
      if (worker.isConnected()) worker.send({ metrics: 'all', id, snapshots } satisfies Message)
    })
  })
  cluster.on('exit', (worker) => {
    const snapshot = last.get(worker.id)
    last.delete(worker.id)
    if (!snapshot) return
    const sums = lasting(snapshot)
    departed.push(sums)
    // Workers die rarely. Their sums are merged, so that a loop of deaths does not fill the memory.
    if (departed.length > maxDeparted) {
      const merged = departed.splice(0)
      void AggregatorRegistry.aggregate(merged)
        .getMetricsAsJSON()
        .then((total) => departed.push(total))
    }
  })
}
