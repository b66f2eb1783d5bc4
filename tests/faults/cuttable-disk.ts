import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { standStill } from './stand-still.ts'

const bytes = 512 * 2 ** 20

/**
 * EXT4_IOC_SHUTDOWN without a last flush of the journal (Linux, fs/ext4/ext4.h): the file system ends as at a power cut. What nobody had
 * synchronised is gone, and every later write fails. xfstests cuts the power in this way.
 */
const cutScript = `open(my $disk, '<', $ARGV[0]) or die $!; my $flag = pack('L', 2); ioctl($disk, 0x8004587D, $flag) or die $!;`

export type CuttableDisk = {
  /** Where it is mounted. */
  folder: string
  cut: () => Promise<void>
  /** Mounts it again, which replays its journal. No process may hold one of its files. */
  mend: () => Promise<void>
  remove: () => Promise<void>
}

/** Whoever was told to end may hold files for a moment longer. */
const busyLimitMs = 15_000

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })

/**
 * A disk of its own in a file, mounted by a loop device. What the file system has handed to the loop device counts as written: a drive
 * that forgets its own cache is not played. Throws where the machine does not allow it (it takes root, loop devices, ext4 and perl).
 */
export function openCuttableDisk(): CuttableDisk {
  // Not os.tmpdir(), and for everybody to enter: Postgres runs as a user of its own.
  const home = mkdtempSync('/tmp/meridian-disk-')
  chmodSync(home, 0o755)
  const image = join(home, 'image')
  const folder = join(home, 'mounted')
  writeFileSync(image, '')
  truncateSync(image, bytes)
  mkdirSync(folder)
  const mount = (): void => run('mount', '-o', 'loop', image, folder)
  const unmount = async (): Promise<void> => {
    const until = Date.now() + busyLimitMs
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
      // An fdatasync that is under way meanwhile may say that it is done though its part of the journal was dropped, which the power of a real
      // machine never does: SQLite alone, with synchronous=FULL, lost its last row so in 28 of 400 cuts, and in none of 200 while it stood.
      const goOn = await standStill(folder)
      try {
        run('perl', '-e', cutScript, folder)
      } finally {
        goOn()
      }
    },
    mend: async () => {
      await unmount()
      mount()
    },
    remove: async () => {
      await unmount()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
