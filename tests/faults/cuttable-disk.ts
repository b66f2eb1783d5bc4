import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseProcesses } from './pause-processes.ts'

const bytes = 512 * 2 ** 20

/**
 * EXT4_IOC_SHUTDOWN without flushing the journal (Linux, fs/ext4/ext4.h): the file system ends like
 * in a power cut. Unsynchronized data is lost, and every later write fails. xfstests cuts the power
 * this way.
 */
const cutScript = `open(my $disk, '<', $ARGV[0]) or die $!; my $flag = pack('L', 2); ioctl($disk, 0x8004587D, $flag) or die $!;`

export type CuttableDisk = {
  /** The mount point. */
  folder: string
  cut: () => Promise<void>
  /** Mounts it again, which replays its journal. No process may have one of its files open. */
  remount: () => Promise<void>
  remove: () => Promise<void>
}

/** A process that was told to end may keep files open for a moment longer. */
const busyTimeoutMs = 15_000

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })

/**
 * A disk in a file, mounted through a loop device. What the file system has handed to the loop
 * device counts as written: a drive that loses its own cache is not simulated. Throws where the
 * machine does not allow it: it requires root, loop devices, ext4 and perl.
 */
export function openCuttableDisk(): CuttableDisk {
  // Not os.tmpdir(), and readable for all users: Postgres runs as another user.
  const home = mkdtempSync('/tmp/meridian-disk-')
  chmodSync(home, 0o755)
  const image = join(home, 'image')
  const folder = join(home, 'mounted')
  writeFileSync(image, '')
  truncateSync(image, bytes)
  mkdirSync(folder)
  const mount = (): void => run('mount', '-o', 'loop', image, folder)
  const unmount = async (): Promise<void> => {
    const until = Date.now() + busyTimeoutMs
    for (;;) {
      try {
        return run('umount', folder)
      } catch (error) {
        if (Date.now() > until) throw error
        await sleep(100)
      }
    }
  }
  try {
    run('mkfs.ext4', '-q', '-F', image)
    mount()
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
  return {
    folder,
    cut: async () => {
      // A concurrent fdatasync may report success although its part of the journal was dropped,
      // which cannot happen in a real power cut: SQLite with synchronous=FULL lost its last row
      // this way in 28 of 400 cuts, and in none of 200 with the processes paused.
      const resume = await pauseProcesses(folder)
      try {
        run('perl', '-e', cutScript, folder)
      } finally {
        resume()
      }
    },
    remount: async () => {
      await unmount()
      mount()
    },
    remove: async () => {
      await unmount()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
