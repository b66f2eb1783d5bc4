import type { Engine } from '#db/engine/client.ts'
import { bundleCommands } from '#tests/support/commands.ts'
import { engines, freshDatabase, makeTemplates, type Templates } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { readArguments } from '#tests/support/read-arguments.ts'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { faults, type FaultName } from './faults.ts'
import { openSite } from './site.ts'

/**
 * `npm run test:faults`: triggers the faults of the long form on the built shop with a durable
 * database. An outage lasts as many seconds. DIR is an earlier version, built. Counts in FILE and
 * resumes from there after an interruption. Exits 1 on a finding.
 */
const usage =
  'npm run test:faults -- [FAULT…] [--engine sqlite|postgres] [--times N] [--seconds N] [--old DIR] [--out FILE]'
const { values: options, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: {
    engine: { type: 'string' },
    times: { type: 'string' },
    old: { type: 'string' },
    seconds: { type: 'string' },
    out: { type: 'string', default: 'data/faults.json' },
  },
})

const countSchema = z.object({
  trials: z.number(),
  findings: z.array(z.string()),
  facts: z.record(z.string(), z.number()),
})
const resultsSchema = z.record(z.string(), countSchema)
type Count = z.infer<typeof countSchema>

const isName = (name: string): name is FaultName => Object.hasOwn(faults, name)

function readNames(): FaultName[] {
  const unknown = positionals.filter((name) => !isName(name))
  if (unknown.length > 0) {
    throw new Error(`There is no ${unknown.join(', ')}. There are ${Object.keys(faults).join(', ')}.`)
  }
  const wanted = Object.keys(faults).filter(isName)
  const names = positionals.length === 0 ? wanted : wanted.filter((name) => positionals.includes(name))
  // Deploying one version twice would prove nothing.
  if (names.includes('rolling-deploy') && !isOtherVersion(options.old ?? '.')) {
    throw new Error('rolling-deploy needs the folder of another version, built: --old DIR.')
  }
  return names
}

function isOtherVersion(folder: string): boolean {
  const [other, own] = [folder, '.'].map((each) => readFileSync(join(each, 'build/server/index.js'), 'utf8'))
  return other !== own
}

const readResults = (): Record<string, Count> =>
  existsSync(options.out) ? resultsSchema.parse(JSON.parse(readFileSync(options.out, 'utf8'))) : {}

/** Atomic, because the run may be interrupted. */
function writeResults(results: Record<string, Count>): void {
  mkdirSync(dirname(options.out), { recursive: true })
  writeFileSync(`${options.out}.new`, `${JSON.stringify(results, null, 2)}\n`)
  renameSync(`${options.out}.new`, options.out)
}

/** Keeps the maximum of milliseconds; adds up everything else. */
function addFacts(facts: Record<string, number>, more: Record<string, number>): Record<string, number> {
  const sum = { ...facts }
  for (const [name, value] of Object.entries(more)) {
    sum[name] = name.endsWith('Ms') ? Math.max(sum[name] ?? 0, value) : (sum[name] ?? 0) + value
  }
  return sum
}

async function runTrials(templates: Templates, name: FaultName, engine: Engine): Promise<number> {
  const { run, long, batch } = faults[name]
  const seconds = options.seconds === undefined ? faults[name].seconds : Number(options.seconds)
  const times = Number(options.times ?? long)
  const key = `${name} ${engine}`
  let count: Count = readResults()[key] ?? { trials: 0, findings: [], facts: {} }
  while (count.trials < times) {
    const database = await freshDatabase(templates, engine)
    const site = openSite(engine, database.url)
    try {
      const outcome = await run(site, Math.min(batch, times - count.trials), {
        isShort: false,
        ...(options.old !== undefined && { oldFolder: options.old }),
        ...(seconds !== undefined && { seconds }),
      })
      count = {
        trials: count.trials + outcome.trials,
        findings: [...count.findings, ...outcome.findings],
        facts: addFacts(count.facts, outcome.facts),
      }
    } finally {
      await site.close()
      await database.remove()
    }
    writeResults({ ...readResults(), [key]: count })
  }
  say(key, count, times)
  for (const finding of count.findings) console.log(`  ${finding}`)
  return count.findings.length
}

const say = (key: string, { trials, findings, facts }: Count, times: number): void =>
  console.log(
    `${key.padEnd(24)} ${trials} of ${times}, ${findings.length} findings; ` +
      Object.entries(facts)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
  )

const names = readNames()
await bundleCommands()
const server = await findPostgres({ durable: true })
const templates = await makeTemplates(server.url, ['empty'], { durable: true })
let found = 0
try {
  for (const name of names) {
    for (const engine of engines) {
      const isWanted = !options.engine || options.engine === engine
      if (isWanted && (faults[name].engine ?? engine) === engine)
        found += await runTrials(templates, name, engine)
    }
  }
} finally {
  await templates.remove()
  await server.stop()
}
if (found > 0) process.exitCode = 1
