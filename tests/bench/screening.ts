import { openDatabase, type Db } from '#db/engine/client.ts'
import { needsDecision, type Alert, type Screening } from '#domain/screening/alert.ts'
import { screen, type ScreeningInput } from '#domain/screening/screen.ts'
import { recognize } from '#server/screening/medicine-names.ts'
import { findFacts, readCareLists } from '#tests/support/care-lists.ts'
import { engines, freshDatabase, makeTemplates } from '#tests/support/databases.ts'
import { readDirectoryMedicines } from '#tests/support/directory-medicines.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { cartGenerator, readCartMedicines } from '#tests/support/screened-carts.ts'
import {
  drawAllergies,
  drawInteractions,
  drawSameClass,
  drawSameIngredient,
  drawUnlisted,
  indexMedicines,
  listAllergyLabels,
  type ListedPair,
} from '#tests/support/screening-pairs.ts'
import { lineOf, medicationOf, patientWith } from '#tests/support/screening.ts'
import { seeded } from '#tests/support/seeded.ts'
import { measureNames, readTypedNames } from '#tests/support/typed-names.ts'
import { readArguments } from '#tests/support/read-arguments.ts'
import { listEquivalentsCoverage } from './equivalents.ts'
import { fillForScreening, measureScreening } from './screening-cost.ts'

/**
 * `npm run bench:screening`: what the screening finds and how often it speaks, by list and rule;
 * twelve textbook pairs; how many packages FDA rates as equivalent; how well typed names are
 * recognized; what a case costs on both engines; memory. `--catalog` names the folder of the full
 * directories; without it, pairs are of a part of them.
 */
const usage = 'npm run bench:screening -- [--catalog DIR] [--carts N]'
const { values: options } = readArguments(usage, {
  options: { catalog: { type: 'string' }, carts: { type: 'string', default: '10000' } },
})
const cartCount = Number(options.carts)
const pairCount = 2000
const seed = 16

const print = (line = ''): void => void process.stdout.write(`${line}\n`)
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`

const lists = readCareLists()
const screenInMemory = (input: ScreeningInput): Screening => screen(input, findFacts(lists, input))

/** Sensitivity by list, and silence. */
function measurePairs(): void {
  const medicines = options.catalog
    ? readDirectoryMedicines(options.catalog, { ndc: 'ndc-catalogue.tsv.gz', dpd: 'dpd-catalogue.tsv.gz' })
    : readDirectoryMedicines('tests/fixtures/search', { ndc: 'ndc.tsv.gz', dpd: 'dpd.tsv.gz' })
  const index = indexMedicines(medicines)
  const random = seeded(seed)
  const of = { count: pairCount, random }
  print(`Sensitivity: random pairs of each list, through ${medicines.length} real medicines`)
  const draws: readonly (readonly [string, () => ListedPair[]])[] = [
    ['NDF-RT', () => drawInteractions(lists, index, { ...of, list: 'interactions-ndfrt', by: 'ingredient' })],
    [
      'labels, named',
      () => drawInteractions(lists, index, { ...of, list: 'interactions-label', by: 'ingredient' }),
    ],
    [
      'labels, by class',
      () => drawInteractions(lists, index, { ...of, list: 'interactions-label', by: 'class' }),
    ],
    ['same class', () => drawSameClass(lists, index, of)],
    ['same ingredient', () => drawSameIngredient(index, of)],
    ['allergy groups', () => drawAllergies(lists, index, of)],
    ['allergies in labels', () => listAllergyLabels(lists, index)],
  ]
  for (const [name, draw] of draws) {
    const pairs = draw()
    const found = pairs.filter(({ input, isFound }) => isFound(screenInMemory(input))).length
    print(`  ${name.padEnd(22)} ${found} of ${pairs.length} (${percent(found, pairs.length)})`)
  }
  const silent = drawUnlisted(lists, index, of)
  const loud = silent.filter((input) =>
    screenInMemory(input).alerts.some(({ second }) => second !== null && second.key !== ''),
  ).length
  print(`Silence: ${loud} of ${silent.length} pairs of no list have an alert about the pair`)
}

/** "medium interaction, interactions-label, Drug interactions". */
function ruleOf({ level, kind, sources: [source] }: Alert): string {
  const grade = kind === 'interaction' ? `, ${source?.className ? 'by class' : source?.grade}` : ''
  return `${level.padEnd(11)} ${kind}, ${source?.list}${grade}`
}

/** Alerts of generated carts, by level and rule. */
function measureNoise(): void {
  const next = cartGenerator(readCartMedicines(), seeded(seed))
  const carts = new Map<string, number>()
  const alerts = new Map<string, number>()
  let unfolded = 0
  let silent = 0
  for (let count = 0; count < cartCount; count++) {
    const found = screenInMemory(next()).alerts
    if (found.every(({ level }) => level === 'information')) silent++
    unfolded += found.filter(({ isFolded }) => !isFolded).length
    const rules = found.flatMap((alert) => [
      `any ${alert.level}`,
      ruleOf(alert),
      ...(needsDecision(alert) ? ['needs a decision'] : []),
    ])
    for (const rule of rules) alerts.set(rule, (alerts.get(rule) ?? 0) + 1)
    for (const rule of new Set(rules)) carts.set(rule, (carts.get(rule) ?? 0) + 1)
  }
  print(`Noise: ${cartCount} generated carts, seed ${seed}`)
  print(
    `  ${percent(silent, cartCount)} have no alert but information; ${(unfolded / cartCount).toFixed(2)} unfolded a cart`,
  )
  for (const [rule, count] of [...carts].toSorted(([, a], [, b]) => b - a))
    print(
      `  ${percent(count, cartCount).padStart(8)} of carts, ${String(alerts.get(rule)).padStart(5)} alerts: ${rule}`,
    )
}

const textbook: readonly (readonly [string, string])[] = [
  ['WARFARIN', 'IBUPROFEN'],
  ['SILDENAFIL', 'NITROGLYCERIN'],
  ['METHOTREXATE', 'TRIMETHOPRIM'],
  ['SIMVASTATIN', 'CLARITHROMYCIN'],
  ['TRAMADOL', 'SERTRALINE'],
  ['LITHIUM CARBONATE', 'IBUPROFEN'],
  ['SPIRONOLACTONE', 'POTASSIUM CHLORIDE'],
  ['CLOPIDOGREL', 'OMEPRAZOLE'],
  ['DIGOXIN', 'AMIODARONE'],
  ['ALLOPURINOL', 'AZATHIOPRINE'],
  ['LINEZOLID', 'FLUOXETINE'],
  ['METRONIDAZOLE', 'WARFARIN'],
]

/** The best-known dangerous pairs, and by which list they are found. */
function listTextbookPairs(): void {
  print('Twelve textbook pairs')
  for (const [a, b] of textbook) {
    const input = {
      lines: [lineOf([a])],
      patient: patientWith({ medications: [medicationOf([b])] }),
      today: '2026-11-22',
    }
    const alert = screenInMemory(input).alerts.find(({ kind }) => kind === 'interaction')
    const by = alert?.sources.map(({ list, grade, className, labelOf }) =>
      [labelOf ? `label of ${labelOf}` : list, className ?? grade].join(': '),
    )
    print(`  ${`${a} with ${b}`.padEnd(40)} ${alert ? `${alert.level}: ${by?.join('; ')}` : 'not found'}`)
  }
}

/** How well names are recognized as people type them, by kind. */
async function printNames(db: Db): Promise<void> {
  const { figures, mistakes } = await measureNames(readTypedNames(), (list, text) =>
    recognize({ db }, list, text),
  )
  print('Name recognition, with the demo catalog')
  for (const [kind, { expected, right, wrong, missed }] of figures)
    print(
      `  ${kind.padEnd(20)} ${right} of ${expected} recognized (${percent(right, expected)}), ${missed} not; ${wrong} that nothing named`,
    )
  for (const mistake of mistakes) print(`    ${mistake}`)
}

async function measureEngines(): Promise<void> {
  const postgres = await findPostgres()
  print('A case of 5 lines and 10 medications, with its statements')
  try {
    const templates = await makeTemplates(postgres.url, ['empty'])
    for (const engine of engines) {
      const database = await freshDatabase(templates, engine)
      const db = openDatabase(database.url, (error) => print(error.message))
      try {
        await fillForScreening(db)
        if (engine === 'sqlite') await printNames(db)
        const { cpuMs, heapMb } = await measureScreening(db)
        print(
          `  ${engine.padEnd(9)} ${cpuMs.toFixed(2)} ms CPU; ${heapMb.toFixed(1)} MB of memory kept after 300 cases`,
        )
      } finally {
        await db.destroy()
        await database.remove()
      }
    }
    await templates.remove()
  } finally {
    await postgres.stop()
  }
}

measurePairs()
measureNoise()
listTextbookPairs()
for (const line of listEquivalentsCoverage(options.catalog)) print(line)
await measureEngines()
