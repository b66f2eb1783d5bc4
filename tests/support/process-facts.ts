import { readFileSync, readdirSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second (USER_HZ). */
const tickMs = 10

/** User and system time of a process so far. */
export function readCpuMs(pid: number): number {
  const fields = readStat(`/proc/${pid}/stat`)
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** What Linux says of a process or a thread behind its name, the state first (proc_pid_stat(5)). */
export function readStat(path: string): string[] {
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function statusMb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** Resident memory of a process now, in MiB. */
export const readMemoryMb = (pid: number): number => statusMb(pid, 'VmRSS')

/** Follows a process and its children until `stop`, which gives the largest sum of their memory in MiB. */
export function followMemory(pid: number): { stop: () => number } {
  let peak = 0
  const look = (): void => {
    const sum = family(pid).reduce((total, member) => total + unlessGone(() => readMemoryMb(member), 0), 0)
    peak = Math.max(peak, sum)
  }
  const timer = setInterval(look, 20)
  return {
    stop: () => {
      clearInterval(timer)
      return peak
    },
  }
}

/** A process with its children and theirs. */
function family(pid: number): number[] {
  const parents = processes().map((pid) => ({ pid, parent: parentOf(pid) }))
  const members = [pid]
  for (const member of members) {
    members.push(...parents.filter(({ parent }) => parent === member).map((child) => child.pid))
  }
  return members
}

/** All there are, by their ids. */
export const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const parentOf = (pid: number): number => unlessGone(() => Number(readStat(`/proc/${pid}/stat`)[1]), 0)

/** A process may end between being listed and being read. */
export function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return otherwise
    throw error
  }
}
