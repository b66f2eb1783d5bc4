import { processes, readStat, unlessGone } from '#tests/support/process-facts.ts'
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Stops the processes that work in a folder, each once the kernel has answered what it had asked for, and gives the function that lets them go
 * on. Linux, and root where they are others' processes.
 */
export async function standStill(folder: string): Promise<() => void> {
  const stopped = new Set<number>()
  for (;;) {
    const found = workersIn(folder)
    for (const pid of found) {
      signal(pid, 'SIGSTOP')
      stopped.add(pid)
    }
    // One that was not stopped yet may have begun another meanwhile.
    if (found.every(isStopped)) break
    await sleep(1)
  }
  return () => {
    for (const pid of stopped) signal(pid, 'SIGCONT')
  }
}

const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean =>
  unlessGone(() => process.kill(pid, name), false)

/** The processes whose working directory, or a file of theirs, lies in the folder. */
const workersIn = (folder: string): number[] =>
  processes().filter((pid) => {
    const links = [`/proc/${pid}/cwd`, ...listing(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)]
    return links.some((link) => `${unlessGone(() => readlinkSync(link), '')}/`.startsWith(`${folder}/`))
  })

/** Whether each of its threads stands: state T. */
const isStopped = (pid: number): boolean =>
  listing(`/proc/${pid}/task`).every(
    (thread) => unlessGone(() => readStat(`/proc/${pid}/task/${thread}/stat`)[0], 'T') === 'T',
  )

const listing = (path: string): string[] => unlessGone(() => readdirSync(path), [])
