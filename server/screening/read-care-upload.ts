import { groupBy } from '#domain/group-by.ts'
import type { Db } from '#db/engine/client.ts'
import type { CareRows } from '#db/screening/care-tables.ts'
import { findNameRows } from '#db/screening/product-ingredients.ts'
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
  type OpenFdaList,
} from '#domain/screening/openfda.ts'
import {
  joinIngredients,
  namesToLookUp,
  resolveIngredients,
  toIngredientIndex,
  toShownMoiety,
} from '#domain/screening/product-ingredients.ts'
import type { Recall } from '#domain/screening/recall.ts'
import type { z } from 'zod'
import { careFiles } from './care-files.ts'
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
  const start = /^[\s\uFEFF]*([{[])/.exec(text)
  return start ? readJson(db, text) : readTsv(text)
}

const listOfHeader = (header: readonly string[]): UploadedList | null => {
  if (header.includes('fda_product_id')) return 'recalls-2023-2025-no-lots'
  if (header.includes('recall_number')) return 'recalls'
  return header.includes('package_ndc') && header.includes('presentation') ? 'shortages' : null
}

function readTsv(text: string): CareUpload {
  const [header = ''] = text.split(/\r?\n/, 1)
  const list = listOfHeader(header.split('\t'))
  const mode = 'replace'
  switch (list) {
    case 'recalls':
      return { ...collect(text, list), list, mode }
    case 'recalls-2023-2025-no-lots':
      return { ...collect(text, list), list, mode }
    case 'shortages':
      return { ...collect(text, list), list, mode }
    case null:
      return { list, mode, ...noRows, problems: [`line 1: ${unknownFile}`] }
  }
}

function collect<Name extends UploadedList>(text: string, name: Name) {
  const { keyOf, toRows, dayOf } = careFiles[name]
  const collected = new Collected()
  const { rowCount, problems } = parseCareText(text, {
    columns: careColumns[name],
    keyOf,
    onRows: (lines) => {
      collected.add(toRows(lines))
      for (const { row } of lines) collected.see(dayOf?.(row) ?? null)
    },
  })
  return {
    rows: collected.rows,
    newestDay: collected.newestDay,
    rowCount,
    problems,
    withoutNdc: 0,
    unclassified: 0,
  }
}

/** Rows of several batches. */
class Collected {
  readonly rows: CareRows = {}
  newestDay: string | null = null
  add({ careRecalls, careRecallPackages, careRecallLots, careShortages }: CareRows): void {
    const { rows } = this
    if (careRecalls) rows.careRecalls = (rows.careRecalls ?? []).concat(careRecalls)
    if (careRecallPackages)
      rows.careRecallPackages = (rows.careRecallPackages ?? []).concat(careRecallPackages)
    if (careRecallLots) rows.careRecallLots = (rows.careRecallLots ?? []).concat(careRecallLots)
    if (careShortages) rows.careShortages = (rows.careShortages ?? []).concat(careShortages)
  }
  see(day: string | null): void {
    if (day !== null && day > (this.newestDay ?? '')) this.newestDay = day
  }
}

async function readJson(db: Db, text: string): Promise<CareUpload> {
  const refuse = (list: OpenFdaList | null, problems: string[]): CareUpload => ({
    list,
    mode: 'merge',
    ...noRows,
    problems,
  })
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return refuse(null, [describeSyntax(text, error)])
  }
  const file = fileSchema.safeParse(parsed)
  if (!file.success) return refuse(null, ['the JSON has no list "results" of entries'])
  const { results } = file.data
  const list = detectList(results)
  if (results.length === 0) return refuse(null, ['"results" is empty'])
  if (list === null) return refuse(null, [`entry 1: ${unknownFile}`])
  const read =
    list === 'recalls'
      ? readEntries(results, { list, readEntry: readReport })
      : readEntries(results, { list, readEntry: readShortage })
  if (read.problems.length > 0) return refuse(list, read.problems)
  const collected = new Collected()
  if (list === 'recalls') {
    const lines = read.lines as ParsedLine<CareRow<'recalls'>>[]
    collected.add(careFiles.recalls.toRows(lines))
    for (const { row } of lines) collected.see(row.reported)
  } else {
    const lines = await withIngredients(db, read.lines as ParsedLine<CareRow<'shortages'>>[])
    collected.add(careFiles.shortages.toRows(lines))
    for (const { row } of lines) collected.see(row.updated)
  }
  const { rows, newestDay } = collected
  const { withoutNdc, unclassified } = read
  const leftOut = { withoutNdc, unclassified }
  return { list, mode: 'merge', rows, newestDay, rowCount: read.lines.length, ...leftOut, problems: [] }
}

/** Where the text stops being JSON. */
function describeSyntax(text: string, error: unknown): string {
  const at = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined
  const line = text.slice(0, at === undefined ? text.length : Number(at)).split('\n').length
  return `line ${line}: it is not valid JSON${at === undefined ? ': it ends too early' : ' from here on'}`
}

type Reader = {
  list: OpenFdaList
  readEntry: (entry: Record<string, unknown>) => OpenFdaEntry
}

/** Each entry is checked like a line of a file. Its number takes the place of the line. */
function readEntries(results: readonly Record<string, unknown>[], { list, readEntry }: Reader) {
  const schema: z.ZodObject = careColumns[list]
  const lines: ParsedLine<unknown>[] = []
  const problems: string[] = []
  const entryOf = new Map<string, number>()
  let withoutNdc = 0
  let unclassified = 0
  for (const [i, entry] of results.entries()) {
    if (problems.length >= maxProblems) {
      problems.push('there may be more problems; the rest of the file was not read')
      break
    }
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
  const names = [...new Set(texts.flatMap(namesToLookUp))]
  const moieties = new Set(names.flatMap((name) => [name.toLowerCase(), toShownMoiety(name)]))
  const index = toIngredientIndex(await findNameRows(db, { names, moieties: [...moieties] }))
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
