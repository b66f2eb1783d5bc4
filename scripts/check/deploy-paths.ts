import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The secrets and backups that the operator puts beside the deploy files. */
const operatorPaths = readFileSync('deploy/.gitignore', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('/'))
  .map((line) => line.slice(1))

/** The files of a folder like deploy/ without the operator's, which are neither read nor copied. */
export const deployPaths = (folder: string): string[] => filesIn(folder, operatorPaths).toSorted()

const filesIn = (folder: string, excluded: readonly string[]): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !excluded.includes(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesIn(join(folder, entry.name), []).map((path) => join(entry.name, path))
        : [entry.name],
    )
