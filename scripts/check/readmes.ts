import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const described = ['app', 'server', 'db', 'tests']

/** Folders without a README: app, server, db, tests, and the folders directly inside them. */
export function readmeFaults(root: string): string[] {
  const folders = described.flatMap((name) => [
    name,
    ...readdirSync(join(root, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, name, entry.name)).length > 0)
      .map((entry) => join(name, entry.name)),
  ])
  return folders
    .filter((folder) => !existsSync(join(root, folder, 'README.md')))
    .map((folder) => `${folder} has no README.md.`)
}
