import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The secrets and backups that the operator puts beside the deploy files (docs/operations.md). */
const operatorPaths = [
  '.env',
  'archive',
  'backups',
  'backups-files',
  'basebackups',
  'certificates',
  'shop.env',
  'userlist.txt',
]

/** The files of a folder like deploy/ without the operator's, which are neither read nor copied. */
export function deployPaths(folder: string): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], {
    cwd: folder,
    encoding: 'utf8',
    // Without GIT_DIR, which Git sets in a hook.
    env: { PATH: process.env['PATH'] },
  })
  const tracked = status === 0 ? stdout.split('\0').filter((path) => path !== '') : []
  const paths = tracked.length > 0 ? tracked : filesIn(folder, operatorPaths)
  return paths.filter((path) => existsSync(join(folder, path))).toSorted()
}

const filesIn = (folder: string, excluded: readonly string[]): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !excluded.includes(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesIn(join(folder, entry.name), []).map((path) => join(entry.name, path))
        : [entry.name],
    )
