import { gatherInPrimary } from '#server/integrations/metrics/worker-metrics.ts'
import closeWithGrace from 'close-with-grace'
import cluster from 'node:cluster'

/** How long a process may take to answer its last requests and end. */
export const drainLimitMs = 9500
/**
 * The pause before a dead worker is replaced, so that one that dies at startup is not forked in a
 * loop.
 */
const restartMs = 500
/** Sent by the primary process to its workers. */
export const drainMessage = 'drain'

/**
 * Forks the worker processes. Replaces workers that die. If one dies before any has listened, the
 * start has failed and this process ends. Workers drain on a message from this process: if they
 * were disconnected instead, each would wait for its idle database connections.
 */
export function startWorkers(count: number): void {
  let draining = false
  let hasListened = false
  cluster.once('listening', () => {
    hasListened = true
  })
  cluster.on('exit', () => {
    // The worker has printed why.
    if (!hasListened && !draining) process.exit(1)
    setTimeout(() => {
      if (!draining) cluster.fork()
    }, restartMs)
  })
  gatherInPrimary()
  for (let i = 0; i < count; i++) cluster.fork()
  closeWithGrace({ delay: drainLimitMs + 300 }, async () => {
    draining = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of workers) worker.send(drainMessage)
    await Promise.all(ended)
  })
}
