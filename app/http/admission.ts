/**
 * What is refused first when the shop has more requests than it can answer. `always` is never
 * refused; the others are in the order of refusal.
 */
export type RequestClass = 'browsing' | 'ordinary' | 'checkout' | 'always'

const refusalOrder = ['browsing', 'ordinary', 'checkout'] as const
export const maxPressure = refusalOrder.length

/** What a process observes of its own load. */
export type Load = {
  /** How late the event loop runs its timers or accepts connections, whichever is more. */
  delayMs: number
  /** Callers that wait for a database connection. */
  waiting: number
}

/** Requests are refused from this load on. */
export type LoadLimits = Load

/** The load as a multiple of its limit. */
export const strainOf = (load: Load, limits: LoadLimits): number =>
  Math.max(load.delayMs / limits.delayMs, load.waiting / limits.waiting)

/** Below this strain, pressure falls. Between it and 1 it stays, so that it does not flap. */
const calmStrain = 0.5
const risePerStep = 0.1
const maxRise = 0.4
/** Twenty steps a second: from the maximum to none in 7.5 s. */
const fallPerStep = 0.02

/**
 * The pressure after another step. 0 refuses no request. Each whole number refuses one more class;
 * 1.3 refuses the first class, and 30 % of the second.
 */
export function stepPressure(pressure: number, strain: number): number {
  if (strain > 1) return Math.min(maxPressure, pressure + Math.min(maxRise, risePerStep * strain))
  return strain < calmStrain ? Math.max(0, pressure - fallPerStep) : pressure
}

/**
 * The pressure of a burst within one turn of the event loop, before any step can see it: twice the
 * limit refuses browsing, four times everything but checkout, eight times that too.
 */
export const burstPressure = (strain: number): number =>
  strain <= 1 ? 0 : Math.min(maxPressure, Math.log2(strain))

/** The share of a class that is refused, 0 to 1. */
export function refusedShare(requestClass: RequestClass, pressure: number): number {
  if (requestClass === 'always') return 0
  return Math.min(1, Math.max(0, pressure - refusalOrder.indexOf(requestClass)))
}
