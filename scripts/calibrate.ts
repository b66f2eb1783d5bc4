const steps = 100_000_000

/**
 * The CPU seconds that a fixed loop takes on this machine. Machines differ threefold, so the
 * seconds of a test run mean something only beside it.
 */
export function calibrationSeconds(): number {
  const before = process.cpuUsage()
  let value = 0
  for (let i = 0; i < steps; i++) value = (value * 31 + i) | 0
  const { user, system } = process.cpuUsage(before)
  if (!Number.isInteger(value)) throw new Error('The calibration loop was optimized away.')
  return (user + system) / 1_000_000
}
