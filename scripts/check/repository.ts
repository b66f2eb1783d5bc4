import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../migrations/all.ts'
import { engineFaults } from './both-engines.ts'
import { citationFaults } from './citations.ts'
import { repositoryOf } from './documents.ts'
import { expandContractFaults } from './expand-contract.ts'
import { minimumVersionFaults } from './minimum-versions.ts'
import { lockfileFaults } from './lockfile.ts'
import { migrationFaults } from './migrations.ts'
import { postFormFaults } from './post-forms.ts'
import { readmeFaults } from './readmes.ts'
import { readSources, vocabularyFaults } from './vocabulary.ts'

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const tests = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => `tests/${path}`)

/** Without what the shop, the build and the tools write. */
const folders = ['app', 'db', 'deploy', 'docs', 'migrations', 'public', 'scripts', 'server', 'tests']
const filesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
const paths = [...filesIn('.', false), ...folders.flatMap((folder) => filesIn(folder, true))]
const texts = paths.filter((path) => /\.(tsx?|cjs|css|md|example)$|^package\.json$/.test(path))

const textsOf = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((path) => [path, readFileSync(path, 'utf8')]))

const faults = [
  ...migrationFaults(
    readdirSync('migrations').filter((file) => file !== 'all.ts' && !file.endsWith('.md')),
    Object.keys(migrations),
  ),
  ...(await expandContractFaults(migrations)),
  ...lockfileFaults(readJson('package-lock.json')),
  ...minimumVersionFaults(readJson('package-lock.json')),
  ...readmeFaults('.'),
  ...citationFaults(repositoryOf(textsOf(texts), paths)),
  ...vocabularyFaults(readSources(paths)),
  ...engineFaults(textsOf(tests)),
  ...postFormFaults(textsOf(paths.filter((path) => path.endsWith('.tsx')))),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
