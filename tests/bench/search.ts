import { readArguments } from '#tests/support/read-arguments.ts'
import type { Engine } from '#db/engine/client.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { suggestProducts } from '#server/search/suggest-products.ts'
import { testContext } from '#tests/support/context.ts'
import { engines, freshDatabase, makeTemplates, openTestDatabase } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { readLaySearchTests } from '#tests/support/lay-search-tests.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { importCatalog } from './import-catalog.ts'
import { repeat } from './load.ts'
import { rawQueries } from './raw-server.ts'

/**
 * `npm run bench:search` imports the directories and measures searches and suggestions by kind.
 * Beside each is a plain full-text query for the same words in the same round: 24 products, the
 * best matches first.
 */
const usage = 'npm run bench:search -- [--catalog DIR] [--engine sqlite|postgres] [--seconds N] [--rounds N]'
const { values: options } = readArguments(usage, {
  options: {
    catalog: { type: 'string', default: 'tests/fixtures/directories' },
    engine: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
  },
})
const ms = Number(options.seconds) * 1000
const rounds = Number(options.rounds)

const lay = readLaySearchTests('tests/fixtures/search/lay-tests.tsv')
const ofKind = (kind: string): string[] => lay.filter((test) => test.kind === kind).map(({ query }) => query)

const names = ['ibuprofen', 'metformin', 'lisinopril', 'atorvastatin', 'amoxicillin', 'salbutamol', 'humira']
/** What a person's keystrokes send: each beginning of a name. */
const keystrokes = names.flatMap((name) =>
  Array.from({ length: name.length - 1 }, (_, i) => name.slice(0, i + 2)),
)
const queries = {
  'a prefix': names.map((name) => name.slice(0, 4)),
  'a name': names,
  'a lay word too many': ofKind('lay word'),
  'a lay form': ofKind('lay form'),
  'a bare strength': ofKind('bare strength'),
  'two edits': ofKind('two edits'),
  'four misspelled names': ['carbamazole protonixia sertrapine amoxidozole'],
  'twelve unknown words': [
    'abcdefgh ijklmnop qrstuvwx bcdfghjk lmnpqrst zzyyxxww aabbccdd eeffgghh iijjkkll mmnnoopp qqrrsstt uuvvwwxx',
  ],
}

type Row = { work: string; cpuMs: number; p50Ms: number; p99Ms: number; rawCpuMs: number }

/** The round with the median CPU time. */
async function measure(work: (i: number) => Promise<unknown>): Promise<Omit<Row, 'work' | 'rawCpuMs'>> {
  await repeat(work, ms / 2)
  const results: Awaited<ReturnType<typeof repeat>>[] = []
  for (let round = 0; round < rounds; round++) results.push(await repeat(work, ms))
  const median = results.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(rounds / 2)]
  if (!median) throw new Error('No measurements.')
  return median
}

async function measureEngine(engine: Engine, databaseUrl: string): Promise<Row[]> {
  const { lastLine } = await importCatalog(options.catalog, databaseUrl)
  console.log(`\n${engine}: ${lastLine}`)
  const db = openTestDatabase(databaseUrl)
  const raw = await rawQueries(databaseUrl)
  const ctx = testContext(db)
  const rows: Row[] = []
  const add = async (work: string, texts: readonly string[], run: (text: string) => Promise<unknown>) => {
    const text = (i: number): string => texts[i % texts.length] ?? ''
    const { cpuMs, p50Ms, p99Ms } = await measure((i) => run(text(i)))
    // The raw query takes one word of letters and digits: "2.5" would be a phrase.
    const plain = await measure((i) =>
      raw.search(
        text(i)
          .match(/[\p{L}\p{N}]+/gu)
          ?.at(-1) ?? '',
      ),
    )
    rows.push({ work, cpuMs, p50Ms, p99Ms, rawCpuMs: plain.cpuMs })
  }
  await add('suggestion, each keystroke', keystrokes, (text) => suggestProducts(ctx, text))
  for (const [kind, texts] of Object.entries(queries)) {
    await add(`suggestion, ${kind}`, texts, (text) => suggestProducts(ctx, text))
    await add(`search, ${kind}`, texts, (text) => searchProducts(ctx, { q: text }))
  }
  await raw.close()
  await db.destroy()
  return rows
}

const server = await findPostgres({ durable: true })
const templates = await makeTemplates(server.url, ['empty'], { durable: true })
const results: { engine: Engine; rows: Row[] }[] = []
try {
  for (const engine of engines) {
    if (options.engine && options.engine !== engine) continue
    const database = await freshDatabase(templates, engine)
    const rows = await measureEngine(engine, database.url)
    results.push({ engine, rows })
    const figure = (value: number): string => value.toFixed(2).padStart(10)
    console.log(`${''.padEnd(36)}    CPU ms    p50 ms    p99 ms  plain CPU ms`)
    for (const { work, cpuMs, p50Ms, p99Ms, rawCpuMs } of rows)
      console.log(
        work.padEnd(36) + figure(cpuMs) + figure(p50Ms) + figure(p99Ms) + figure(rawCpuMs).padStart(14),
      )
    await database.remove()
  }
} finally {
  await templates.remove()
  await server.stop()
}
mkdirSync('tests/bench/results', { recursive: true })
const date = new Date().toISOString()
const file = `tests/bench/results/search-${date.replaceAll(':', '-')}.json`
writeFileSync(file, `${JSON.stringify({ date, node: process.version, results }, null, 2)}\n`)
console.log(`\n${file}`)
