import { setFlagsFromString } from 'node:v8'

/** The first version known to have the option. It comes with Node 24. */
const minMajor = 13

/**
 * Makes V8 return freed memory to the system (docs/performance.md, "Memory"). The start command
 * cannot contain this option, because Node 20 and 22 would refuse to start.
 */
export function saveMemory(): void {
  const [major] = process.versions.v8.split('.')
  if (Number(major) >= minMajor) setFlagsFromString('--memory-saver-mode')
}
