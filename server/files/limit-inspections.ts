/** How many files a process holds in memory at once to inspect them, of at most 10 MB each. */
const maxAtOnce = 4

let running = 0
const waiting: (() => void)[] = []

/** Runs `work` when fewer than four others run; until then it waits in line. */
export async function limitInspections<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
