import { listProcesses, readStat, unlessExited } from '#tests/support/process-facts.ts'
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Pauses the processes that work in a folder, each after its pending system calls, and returns a
 * function that resumes them. Linux only; requires root for other users' processes.
 */
export async function pauseProcesses(folder: string): Promise<() => void> {
  const stopped = new Set<number>()
  for (;;) {
    const found = processesIn(folder)
    for (const pid of found) {
      signal(pid, 'SIGSTOP')
      stopped.add(pid)
    }
    // A process that was still running may have started another one.
    if (found.every(isStopped)) break
    await sleep(1)
  }
  return () => {
    for (const pid of stopped) signal(pid, 'SIGCONT')
  }
}

const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean =>
  unlessExited(() => process.kill(pid, name), false)

/** The processes whose working directory or open files are in the folder. */
const processesIn = (folder: string): number[] =>
  listProcesses().filter((pid) => {
    const links = [`/proc/${pid}/cwd`, ...listing(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)]
    return links.some((link) => `${unlessExited(() => readlinkSync(link), '')}/`.startsWith(`${folder}/`))
  })

/** Whether all of its threads are stopped: state T. */
const isStopped = (pid: number): boolean =>
  listing(`/proc/${pid}/task`).every(
    (thread) => unlessExited(() => readStat(`/proc/${pid}/task/${thread}/stat`)[0], 'T') === 'T',
  )

const listing = (path: string): string[] => unlessExited(() => readdirSync(path), [])
