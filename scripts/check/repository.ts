import { readFileSync, readdirSync } from 'node:fs'
import { migrations } from '../../migrations/all.ts'
import { engineFaults } from './both-engines.ts'
import { floorFaults, pinFaults } from './floors.ts'
import { lockfileFaults } from './lockfile.ts'
import { migrationFaults } from './migrations.ts'
import { readmeFaults } from './readmes.ts'

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const tests = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => `tests/${path}`)

const faults = [
  ...migrationFaults(
    readdirSync('migrations').filter((file) => file !== 'all.ts' && !file.endsWith('.md')),
    Object.keys(migrations),
  ),
  ...lockfileFaults(readJson('package-lock.json')),
  ...floorFaults(readJson('package-lock.json')),
  ...pinFaults(readJson('package.json')),
  ...readmeFaults('.'),
  ...engineFaults(Object.fromEntries(tests.map((path) => [path, readFileSync(path, 'utf8')]))),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
