import { calibrationSeconds } from '../../scripts/calibrate.ts'

/** What the calibration loop takes on the machine that the limits are meant for. */
const referenceSeconds = 0.65

/** How many times slower than the reference this machine is, beside its other work; at least 1. */
export const slowness = (): number => Math.max(1, calibrationSeconds() / referenceSeconds)

/**
 * Returns the result of `work`. Throws unless one of three attempts takes at most `limit`
 * milliseconds of this process's CPU time. Clock time would include the wait for a busy machine. On
 * a slower machine than the reference, the limit grows by the same factor as the calibration loop.
 */
export async function withinCpuMs<Result>(limit: number, work: () => Promise<Result>): Promise<Result> {
  const attempt = async (): Promise<{ result: Result; ms: number }> => {
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    return { result, ms: (user + system) / 1000 }
  }
  let least = await attempt()
  for (let tries = 1; tries < 3 && least.ms > limit; tries++) {
    const next = await attempt()
    if (next.ms < least.ms) least = next
  }
  if (least.ms <= limit) return least.result
  const scaled = limit * slowness()
  if (least.ms <= scaled) return least.result
  throw new Error(
    `The work took ${Math.round(least.ms)} ms of CPU time, more than ${Math.round(scaled)} ms, which is ${limit} ms on the reference machine.`,
  )
}
