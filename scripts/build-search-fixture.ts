import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/**
 * `npx tsx scripts/build-search-fixture.ts FOLDER` generates tests/fixtures/search from the full
 * directories in FOLDER (see `read` below for their file names): every row that a test expects, and
 * enough similar rows to confuse the search.
 */

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Usage: build-search-fixture FOLDER')
const target = join(import.meta.dirname, '..', 'tests', 'fixtures', 'search')

/** Keep one of this many rows that no test expects. */
const distractors = { ndc: 25, dpd: 4, upc: 8 }

const read = (name: string): string[] => {
  const bytes = readFileSync(join(folder, name))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n').filter(Boolean)
}
const write = (name: string, lines: readonly string[]): void => {
  const bytes = gzipSync(`${lines.join('\n')}\n`, { level: 9 })
  writeFileSync(join(target, name), bytes)
  console.log(`${name}: ${lines.length - 1} rows, ${Math.round(bytes.length / 1000)} kB`)
}

const [testsHeader = '', ...tests] = read('search-tests-visible.tsv')
const testColumns = testsHeader.split('\t')
const cell = (line: string, columns: readonly string[], name: string): string =>
  line.split('\t')[columns.indexOf(name)] ?? ''

const expectedKeys = new Set(
  tests.flatMap((line) => [
    ...cell(line, testColumns, 'expected_keys').split('|'),
    ...['ndc', 'din', 'upc'].map(
      (kind) => `${kind}:${cell(line, testColumns, 'target').replace(/^(ndc|din|upc):/, '')}`,
    ),
  ]),
)

/** Brands of lay-tests.tsv: the first rows of each are kept. */
const layBrands = [
  'glyset',
  'ventolin',
  'lantus',
  'duragesic',
  'flonase',
  'nasonex',
  'cortate',
  'hydrocortisone',
]
const rowsPerBrand = 3

/** The rows that a test expects, the first of each lay brand, and every n-th other row. */
function reduce(
  lines: readonly string[],
  keysOf: (line: string, columns: string[]) => string[],
  every: number,
): string[] {
  const [header = '', ...rows] = lines
  const columns = header.split('\t')
  const counts = new Map<string, number>()
  const isLayBrand = (line: string): boolean => {
    const own = cell(line, columns, columns.includes('proprietary_name') ? 'proprietary_name' : 'brand_name')
    const brand = layBrands.find((name) => own.toLowerCase().startsWith(name))
    if (brand === undefined || (counts.get(brand) ?? 0) >= rowsPerBrand) return false
    counts.set(brand, (counts.get(brand) ?? 0) + 1)
    return true
  }
  return [
    header,
    ...rows.filter(
      (line, i) =>
        i % every === 0 || keysOf(line, columns).some((key) => expectedKeys.has(key)) || isLayBrand(line),
    ),
  ]
}

mkdirSync(target, { recursive: true })
write(
  'ndc.tsv.gz',
  reduce(
    read('ndc-catalog.tsv.gz'),
    (line, columns) => ['product_ndc', 'package_ndc'].map((name) => `ndc:${cell(line, columns, name)}`),
    distractors.ndc,
  ),
)
write(
  'dpd.tsv.gz',
  reduce(
    read('dpd-catalog.tsv.gz'),
    (line, columns) => [`din:${cell(line, columns, 'din')}`],
    distractors.dpd,
  ),
)
write(
  'upc.tsv.gz',
  reduce(read('openfda-upc.tsv'), (line, columns) => [`upc:${cell(line, columns, 'upc')}`], distractors.upc),
)
write('tests.tsv.gz', [testsHeader, ...tests])
