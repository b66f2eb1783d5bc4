import {
  burstPressure,
  refusedShare,
  stepPressure,
  strainOf,
  type Load,
  type LoadLimits,
  type RequestClass,
} from './admission.ts'

/** Decides about each request, for one process. */
export type Admission = {
  /** Whether a request of this class is answered now. */
  admits: (requestClass: RequestClass) => boolean
  /** 0 when nothing is refused, 3 when everything is that may be. */
  pressure: () => number
}

/** Refuses no request. */
export const admitAll: Admission = { admits: () => true, pressure: () => 0 }

const stepMs = 50
/** With fewer requests since the last step, a late turn is one slow piece of work and no burst. */
const burstRequests = 16
/** For each of the ten connections of the pool. */
const waitingPerConnection = 4
export const maxWaiting = 10 * waitingPerConnection

type WatchOptions = {
  limits: LoadLimits
  /** Callers that wait for a database connection now; reads that share one count once. */
  readWaiting: () => number
  /** How long new connections wait; see `watchAccepts`. */
  readAcceptDelayMs?: () => number
  /** Tests set the clock, and call `step` themselves. */
  clock?: () => number
}

/**
 * The admission of one process, without its timer. `step` is due every 50 ms; how late it runs is
 * the event loop's delay.
 */
export function createAdmission({
  limits,
  readWaiting,
  readAcceptDelayMs = () => 0,
  clock = () => performance.now(),
}: WatchOptions): {
  admission: Admission
  step: () => void
} {
  let dueAt = clock() + stepMs
  let pressure = 0
  let lastDelayMs = 0
  let requests = 0
  /** Fractions carried over between requests: they spread refusals evenly without randomness. */
  const owed = new Map<RequestClass, number>()
  const read = (loopDelayMs: number): Load => ({
    delayMs: Math.max(loopDelayMs, readAcceptDelayMs()),
    waiting: readWaiting(),
  })
  return {
    step: () => {
      const delayMs = Math.max(0, clock() - dueAt)
      // One slow piece of work is late once, a queue again and again.
      const strain = strainOf(read(Math.min(delayMs, lastDelayMs)), limits)
      pressure = stepPressure(pressure, strain)
      lastDelayMs = delayMs
      requests = 0
      dueAt = clock() + stepMs
    },
    admission: {
      admits: (requestClass) => {
        requests++
        const isBurst = requests > burstRequests
        const burst = isBurst ? burstPressure((clock() - dueAt) / limits.delayMs) : 0
        const share = refusedShare(requestClass, Math.max(pressure, burst))
        if (share === 0) return true
        const sum = (owed.get(requestClass) ?? 0) + share
        owed.set(requestClass, sum >= 1 ? sum - 1 : sum)
        return sum < 1
      },
      pressure: () => pressure,
    },
  }
}

/** Watches this process from now on. The timer keeps no process alive. */
export function watchLoad(options: WatchOptions): Admission {
  const { admission, step } = createAdmission(options)
  const next = (): void => {
    step()
    setTimeout(next, stepMs).unref()
  }
  setTimeout(next, stepMs).unref()
  return admission
}
