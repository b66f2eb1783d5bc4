import { expect, test } from 'vitest'
import { engineFaults } from '../../scripts/check/both-engines.ts'
import { minimumVersionFaults } from '../../scripts/check/minimum-versions.ts'
import { lockfileFaults } from '../../scripts/check/lockfile.ts'
import { migrationFaults } from '../../scripts/check/migrations.ts'
import { postFormFaults } from '../../scripts/check/post-forms.ts'
import { readmeFaults } from '../../scripts/check/readmes.ts'
import { readSources, vocabularyFaults } from '../../scripts/check/vocabulary.ts'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const good = ['0001-catalog', '0002-inventory', '0003-cart']
const filesOf = (names: readonly string[]): string[] => names.map((name) => `${name}.ts`)

test('consecutively numbered, listed migrations pass', () => {
  expect(migrationFaults(filesOf(good), good)).toEqual([])
})

test.each([
  ['a new one that does not sort last', ['0004-orders', ...good], 'has 0001-catalog after 0004-orders'],
  ['two swapped', ['0001-catalog', '0003-cart', '0002-inventory'], 'has 0002-inventory after 0003-cart'],
])('%s is refused', (_, listed, fault) => {
  expect(migrationFaults(filesOf(listed), listed).join()).toContain(fault)
})

test.each([
  ['a number used twice', [...good, '0003-orders'], 'Two migrations have the number 0003.'],
  ['a gap', [...good, '0005-orders'], 'A number is missing before migration 0005.'],
  ['a name without number', [...good, 'orders'], 'orders.ts is not named'],
])('%s is refused', (_, names, fault) => {
  expect(migrationFaults(filesOf(names), names).join()).toContain(fault)
})

test('a file that is not listed, and an entry without a file, are refused', () => {
  expect(migrationFaults(filesOf([...good, '0004-orders']), good)).toEqual([
    'migrations/all.ts does not list 0004-orders.',
  ])
  expect(migrationFaults(filesOf(good), [...good, '0004-orders'])).toEqual([
    'migrations/all.ts lists 0004-orders, which has no file.',
  ])
})

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>

const lockfile = (packages: Record<string, string>) => ({
  packages: Object.fromEntries(Object.entries(packages).map(([path, version]) => [path, { version }])),
})

test.each([
  ['node_modules/kysely', '0.28.16'],
  ['node_modules/kysely', '0.27.99'],
  ['node_modules/uploadthing/node_modules/effect', '3.19.3'],
  ['node_modules/@trpc/server', '11.8.0-rc.1'],
  ['node_modules/vite', '7.3.4'],
])('%s at %s is below its minimum version', (path, version) => {
  expect(minimumVersionFaults(lockfile({ [path]: version }))).toHaveLength(1)
})

test('a version at its minimum, above it, or without a minimum passes', () => {
  const packages = {
    'node_modules/kysely': '0.28.17',
    'node_modules/vite': '8.0.0',
    'node_modules/pg': '1.0.0',
  }
  expect(minimumVersionFaults(lockfile(packages))).toEqual([])
})

test('a lockfile without a required package, of any platform, is refused', () => {
  const packages = {
    '': { dependencies: { lint: '1.0.0' } },
    'node_modules/lint': { optionalDependencies: { '@lint/linux': '1.0.0', '@lint/mac': '1.0.0' } },
    'node_modules/lint/node_modules/@lint/linux': {},
  }
  expect(lockfileFaults({ packages })).toEqual([
    'package-lock.json has no @lint/mac, which node_modules/lint requires.',
  ])
  expect(lockfileFaults({ packages: { ...packages, 'node_modules/@lint/mac': {} } })).toEqual([])
})

test('npm saves exact versions', () => {
  expect(readFileSync('.npmrc', 'utf8')).toContain('save-exact=true\n')
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
  }
})

test('a database test that does not run on both engines is refused', () => {
  expect(engineFaults({ 'tests/db/a.test.ts': "test('a', () => {})" })).toHaveLength(1)
  expect(engineFaults({ 'tests/server/a.test.ts': "openDatabase('sqlite::memory:', fail)" })).toHaveLength(1)
  expect(engineFaults({ 'tests/db/postgres-a.test.ts': "openDatabase('postgres://', fail)" })).toEqual([])
  expect(engineFaults({ 'tests/db/a.test.ts': 'eachEngine((engine, openDb) => {})' })).toEqual([])
})

test('a form that posts without PostForm is refused', () => {
  const faultsOf = (text: string): string[] => postFormFaults({ 'app/routes/a.tsx': text })
  expect(faultsOf('<Form method="post">')).toEqual(['app/routes/a.tsx posts with Form, not with PostForm.'])
  expect(faultsOf('<Form\n  noValidate\n  className="grid gap-6"\n  method="post"\n>')).toHaveLength(1)
  expect(faultsOf('<Form action={paths.cart} onSubmit={() => {}} method="post">')).toHaveLength(1)
  expect(faultsOf('<Form method="get"><PostForm noValidate>')).toEqual([])
  expect(postFormFaults({ 'app/ui/PostForm.tsx': '<Form method="post">' })).toEqual([])
})

test('a folder without README is refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'meridian-readmes-'))
  try {
    for (const folder of ['app/routes', 'server', 'db', 'tests'])
      mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'app/routes/home.tsx'), '')
    for (const folder of ['app', 'server', 'db']) writeFileSync(join(root, folder, 'README.md'), '')
    expect(readmeFaults(root)).toEqual(['app/routes has no README.md.', 'tests has no README.md.'])
  } finally {
    rmSync(root, { recursive: true })
  }
})

const vocabularyFaultsOf = (text: string): string[] =>
  vocabularyFaults([{ path: 'server/orders/a.ts', text }])

test.each([
  ['a constant', 'const isDeskOrder = true', 'isDeskOrder'],
  ['a type', 'type CatalogueRow = {}', 'CatalogueRow'],
  ['a property', 'const row = { soldMeanwhile: 1 }', 'soldMeanwhile'],
  ['a constant in capitals', 'const SIDE_COLOUR = 1', 'SIDE_COLOUR'],
])('%s with a retired word is refused', (_, source, name) => {
  expect(vocabularyFaultsOf(`\n${source}`)).toEqual([
    `server/orders/a.ts:2: ${name} uses a retired word (docs/glossary.md).`,
  ])
})

test('a file name with a retired word is refused', () => {
  expect(vocabularyFaults([{ path: 'server/orders/read-for-desk.ts', text: '' }])).toEqual([
    'server/orders/read-for-desk.ts: the file name uses a retired word.',
  ])
})

test.each([
  ['/** Whoever asks first wins. */', 'Whoever'],
  ['const a = 1 // decides anew', 'anew'],
  ['/* The customer\n   called off the order. */', 'called off'],
  ['const page = <p>{/* for the desk */}</p>', 'the desk'],
])('the comment %s is refused', (source, phrase) => {
  expect(vocabularyFaults([{ path: 'app/page.tsx', text: source }])).toEqual([
    `app/page.tsx:1: the comment says "${phrase}" (docs/glossary.md).`,
  ])
})

test('a comment wider than 100 columns is refused, unless it holds a URL', () => {
  const wide = 'word '.repeat(25)
  expect(vocabularyFaultsOf(`// fits\n// ${wide}\n/**\n * ${wide}\n */`)).toEqual([
    'server/orders/a.ts:2: the comment is wider than 100 columns.',
    'server/orders/a.ts:4: the comment is wider than 100 columns.',
  ])
  expect(vocabularyFaultsOf(`// https://example.com ${wide}\nconst text = '${wide}'`)).toEqual([])
})

test('names that the API fixes, longer words, strings and applied migrations keep their words', () => {
  expect(vocabularyFaultsOf("const licenceNumber = 'GONE'\nconst weight = 'the desk, anew'")).toEqual([])
  expect(readSources(['migrations/0009-orders-desk.ts', 'migrations/0021-audit-chain.ts'])).toEqual([])
  expect(readSources(['scripts/db.ts', 'docs/glossary.md']).map(({ path }) => path)).toEqual([
    'scripts/db.ts',
  ])
})
