import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Memory-backed storage of Linux. A container may have none, or only 64 MB. */
const memory = '/dev/shm'
const neededBytes = 2 ** 30
const dayMs = 86_400_000

function hasMemory(): boolean {
  if (!existsSync(memory)) return false
  try {
    accessSync(memory, constants.W_OK)
  } catch {
    return false
  }
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes
}

/** Removes the folders of killed runs, which would occupy memory. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = /^meridian-[a-z]+-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    const path = join(root, name)
    // Another container may share this folder but not the process ids, and may use a recent folder.
    if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true, force: true })
  }
}

let root: string | undefined

/**
 * A new folder for temporary files of a test. It is in memory if there is enough, so that no test
 * waits for a disk. The caller removes it.
 */
export function makeTestFolder(name: string): string {
  if (root === undefined) {
    root = hasMemory() ? memory : tmpdir()
    if (root === memory) removeLeftovers(root)
  }
  return mkdtempSync(join(root, `meridian-${name}-${process.pid}-`))
}
