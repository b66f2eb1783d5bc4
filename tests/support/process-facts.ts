import { readFileSync, readdirSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second (USER_HZ). */
const tickMs = 10

/** The user and system time of a process so far. */
export function readCpuMs(pid: number): number {
  const fields = readStat(`/proc/${pid}/stat`)
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/**
 * How long a process's main thread was ready to run, but waited for a processor (Linux,
 * Documentation/scheduler/sched-stats.rst).
 */
export const readWaitMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6

/**
 * The fields of a process's or thread's stat file after its name, from the state
 * (proc_pid_stat(5)).
 */
export function readStat(path: string): string[] {
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function statusMb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** The current resident memory of a process in MiB. */
export const readMemoryMb = (pid: number): number => statusMb(pid, 'VmRSS')

/** The most resident memory that a process had so far, in MiB. */
export const readPeakMemoryMb = (pid: number): number => statusMb(pid, 'VmHWM')

/** Samples the memory of a process and its descendants. `stop` returns the peak sum in MiB. */
export function sampleMemory(pid: number): { stop: () => number } {
  let peak = 0
  const sample = (): void => {
    const sum = listProcessTree(pid).reduce(
      (total, member) => total + unlessExited(() => readMemoryMb(member), 0),
      0,
    )
    peak = Math.max(peak, sum)
  }
  const timer = setInterval(sample, 20)
  return {
    stop: () => {
      clearInterval(timer)
      return peak
    },
  }
}

/** A process and its descendants, itself first. */
export function listProcessTree(pid: number): number[] {
  const parents = listProcesses().map((pid) => ({ pid, parent: parentOf(pid) }))
  const members = [pid]
  for (const member of members) {
    members.push(...parents.filter(({ parent }) => parent === member).map((child) => child.pid))
  }
  return members
}

/** The ids of all processes. */
export const listProcesses = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const parentOf = (pid: number): number => unlessExited(() => Number(readStat(`/proc/${pid}/stat`)[1]), 0)

/** Returns `fallback` for a process that ended after it was listed. */
export function unlessExited<T>(read: () => T, fallback: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return fallback
    throw error
  }
}
