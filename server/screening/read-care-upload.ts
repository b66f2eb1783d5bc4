import { groupBy } from '#domain/group-by.ts'
import type { Db } from '#db/engine/client.ts'
import type { CareRows } from '#db/screening/care-tables.ts'
import type { CareListName } from '#domain/screening/care-lists.ts'
import { careColumns, type CareRow } from '#domain/screening/care-rows.ts'
import {
  detectList,
  EntryProblem,
  fileSchema,
  openFdaNames,
  readReport,
  readShortage,
  type OpenFdaEntry,
} from '#domain/screening/openfda.ts'
import { joinIngredients, resolveIngredients } from '#domain/screening/product-ingredients.ts'
import type { Recall } from '#domain/screening/recall.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { z } from 'zod'
import { careFiles } from './care-files.ts'
import { loadIngredientIndex } from './ingredient-index.ts'
import { parseCareText, readCareText, type ParsedLine } from './parse-care-file.ts'

/** The lists that the back office imports. */
export type UploadedList = Extract<CareListName, 'recalls' | 'recalls-2023-2025-no-lots' | 'shortages'>

/** A file of recalls or shortages. One with problems must not be written. */
export type CareUpload = {
  /** Null when the file is none of the lists. */
  list: UploadedList | null
  /** The agency's JSON is a part of its list, so it adds; our own columns are the whole list. */
  mode: 'replace' | 'merge'
  rows: CareRows
  rowCount: number
  /** Entries that print no NDC. They match no package and are left out. */
  withoutNdc: number
  /** Reports without a class or status. They cannot be judged and are left out. */
  unclassified: number
  newestDay: string | null
  problems: string[]
}

/** The largest upload, and the largest text in it. */
export const uploadBounds = { bytes: 16 * 2 ** 20, textBytes: 64 * 2 ** 20 }

const maxProblems = 20
const noRows = { rows: {}, rowCount: 0, withoutNdc: 0, unclassified: 0, newestDay: null }
const unknownFile =
  'it is neither openFDA’s JSON of enforcement reports or shortages, nor a TSV file with the columns of recalls, recalls-2023-2025-no-lots or shortages'

/** Reads a file that an admin sent: openFDA's JSON, or the columns of our own TSV files. */
export async function readCareUpload(db: Db, bytes: Uint8Array): Promise<CareUpload> {
  const { text, problem } = await readCareText(bytes, uploadBounds.textBytes)
  if (problem !== null) return { list: null, mode: 'replace', ...noRows, problems: [problem] }
  if (/^\s*[{[]/.test(text)) return readJson(db, text)
  const [header = ''] = text.split(/\r?\n/, 1)
  const list = detectTsvList(header.split('\t'))
  return list === null
    ? { list, mode: 'replace', ...noRows, problems: [`line 1: ${unknownFile}`] }
    : readTsv(text, list)
}

function detectTsvList(header: readonly string[]): UploadedList | null {
  if (header.includes('fda_product_id')) return 'recalls-2023-2025-no-lots'
  if (header.includes('recall_number')) return 'recalls'
  return header.includes('package_ndc') && header.includes('presentation') ? 'shortages' : null
}

function readTsv<Name extends UploadedList>(text: string, list: Name): CareUpload {
  const lines: ParsedLine<CareRow<Name>>[] = []
  const { problems } = parseCareText(text, {
    columns: careColumns[list],
    keyOf: careFiles[list].keyOf,
    onRows: (batch) => {
      lines.push(...batch)
    },
  })
  return { list, mode: 'replace', ...toRows(list, lines), withoutNdc: 0, unclassified: 0, problems }
}

function toRows<Name extends UploadedList>(
  list: Name,
  lines: readonly ParsedLine<CareRow<Name>>[],
  from?: 'openfda',
) {
  const { toRows, dayOf } = careFiles[list]
  const days = lines.flatMap(({ row }) => dayOf?.(row) ?? [])
  return { rows: toRows(lines, from), rowCount: lines.length, newestDay: days.toSorted().at(-1) ?? null }
}

async function readJson(db: Db, text: string): Promise<CareUpload> {
  const mode = 'merge'
  const reject = (problem: string): CareUpload => ({ list: null, mode, ...noRows, problems: [problem] })
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return reject(describeSyntax(text, error))
  }
  const file = fileSchema.safeParse(parsed)
  if (!file.success) return reject('the JSON has no list "results" of entries')
  const { results } = file.data
  if (results.length === 0) return reject('"results" is empty')
  const list = detectList(results)
  if (list === null) return reject(`entry 1: ${unknownFile}`)
  if (list === 'recalls') {
    const { lines, ...read } = await readEntries(results, {
      schema: careColumns[list],
      readEntry: readReport,
    })
    return { list, mode, ...toRows(list, lines, 'openfda'), ...read }
  }
  const { lines, ...read } = await readEntries(results, {
    schema: careColumns[list],
    readEntry: readShortage,
  })
  return { list, mode, ...toRows(list, await withIngredients(db, lines), 'openfda'), ...read }
}

/** Where the text stops being JSON. V8 states the position, or quotes ten characters before it. */
function describeSyntax(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('Unexpected end')) {
    return `line ${text.split('\n').length}: it is not valid JSON: it ends too early`
  }
  const position = /position (\d+)/.exec(message)?.[1]
  const quoted = /, (?:\.{3})?"([^]*)"(?:\.{3})? is not valid JSON$/.exec(message)?.[1]
  const at = position === undefined ? text.indexOf(quoted ?? '') + 10 : Number(position)
  return `line ${text.slice(0, at).split('\n').length}: it is not valid JSON from here on`
}

type Reader<Row> = {
  schema: z.ZodType<Row>
  readEntry: (entry: Record<string, unknown>) => OpenFdaEntry
}

/** How many entries are read before other requests have their turn. */
const entriesPerTurn = 500

/** Each entry is checked like a line of a file. Its number takes the place of the line. */
async function readEntries<Row>(
  results: readonly Record<string, unknown>[],
  { schema, readEntry }: Reader<Row>,
) {
  const lines: ParsedLine<Row>[] = []
  const problems: string[] = []
  const entryOf = new Map<string, number>()
  let withoutNdc = 0
  let unclassified = 0
  for (const [i, entry] of results.entries()) {
    if (problems.length >= maxProblems) {
      problems.push('there may be more problems; the rest of the file was not read')
      break
    }
    if (i % entriesPerTurn === entriesPerTurn - 1) await yieldToEventLoop()
    try {
      const columns = readEntry(entry)
      if (typeof columns === 'string') {
        if (columns === 'no-ndc') withoutNdc++
        else unclassified++
        continue
      }
      const row = schema.safeParse(columns)
      if (!row.success) {
        const [issue] = row.error.issues
        const name = String(issue?.path[0])
        throw new EntryProblem(`${openFdaNames[name] ?? name}: ${issue?.message ?? 'is not valid'}`)
      }
      const key = columns['recall_number']
      const before = key === undefined ? undefined : entryOf.get(key)
      if (before !== undefined) throw new EntryProblem(`it repeats entry ${before}: ${key}`)
      if (key !== undefined) entryOf.set(key, i + 1)
      lines.push({ line: i + 1, row: row.data })
    } catch (error) {
      if (!(error instanceof EntryProblem)) throw error
      problems.push(`entry ${i + 1}: ${error.message}`)
    }
  }
  if (problems.length === 0 && lines.length === 0)
    problems.push('no entry has an NDC, a class and a status, so none can be matched with a package')
  return { lines, problems, withoutNdc, unclassified }
}

/** Replaces the substance names of shortages by the ingredients that products are known by. */
async function withIngredients(
  db: Db,
  lines: readonly ParsedLine<CareRow<'shortages'>>[],
): Promise<ParsedLine<CareRow<'shortages'>>[]> {
  const texts = lines.map(({ row }) => ({
    name: row.generic_name,
    ingredients: row.ingredients.replaceAll(' + ', '; '),
  }))
  const index = await loadIngredientIndex(db, texts)
  return lines.map(({ line, row }, i) => {
    const { ingredients, unknownNames } = resolveIngredients(
      texts[i] ?? { name: '', ingredients: null },
      index,
    )
    return { line, row: { ...row, ingredients: joinIngredients([...ingredients, ...unknownNames]) } }
  })
}

/** The recalls of a file, as they would be kept. */
export function toRecalls({
  careRecalls = [],
  careRecallPackages = [],
  careRecallLots = [],
}: CareRows): Recall[] {
  const codesOf = groupBy(careRecallPackages, ({ recallId }) => recallId)
  const lotsOf = groupBy(careRecallLots, ({ recallId }) => recallId)
  return careRecalls.map((row) => ({
    id: row.id,
    list: row.list,
    recallClass: row.recallClass,
    status: row.status,
    firm: row.firm,
    reason: row.reason,
    product: row.product,
    initiated: row.initiated ?? null,
    reported: row.reported,
    allLots: row.allLots,
    lotNote: row.lotNote ?? null,
    codes: (codesOf.get(row.id) ?? []).map(({ ndc }) => ndc),
    lots: (lotsOf.get(row.id) ?? []).map(({ lot }) => lot),
  }))
}
