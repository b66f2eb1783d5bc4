import { setFlagsFromString } from 'node:v8'

/** The first version known to have the memory saver. It comes with Node 24; 20 and 22 lack it. */
const memorySaverMajor = 13

/**
 * Makes V8 use less memory (docs/performance.md, "Memory"): the old space may double before it is
 * collected, and freed memory is returned to the system. As a command-line option, the growth of
 * the heap costs about 30 ms, because Node then compiles its own modules instead of loading
 * compiled code.
 */
export function saveMemory(): void {
  setFlagsFromString('--heap-growing-percent=100')
  const [major] = process.versions.v8.split('.')
  if (Number(major) >= memorySaverMajor) setFlagsFromString('--memory-saver-mode')
}
