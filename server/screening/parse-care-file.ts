import { createGunzip } from 'node:zlib'
import type { z } from 'zod'

/** A row of a file with its line, counted from 1. */
export type ParsedLine<Row> = { line: number; row: Row }

/** How many rows a file has, or what is wrong with it, each problem with its line. */
export type ParsedFile = { rowCount: number; problems: string[] }

/** What is expected of a file. */
export type FileShape<Schema extends z.ZodObject> = {
  /** The schema of a row. The file's other columns are ignored. */
  columns: Schema
  /** What must be unique, of a row or its text; null for a row without a key. */
  keyOf: (row: z.output<Schema>, text: string) => string | null
  /** Receives the rows in batches, also those of a file that proves wrong further on. */
  onRows: (lines: readonly ParsedLine<z.output<Schema>>[]) => void
}

const rowsPerBatch = 1000
/** A file that is as wrong as this has the wrong content. */
const maxProblems = 20
const maxUnzipped = 256 * 2 ** 20
const newline = 0x0a

/** Parses a file of tab-separated values with a header, plain or gzipped. */
export async function parseCareFile<Schema extends z.ZodObject>(
  bytes: Uint8Array,
  shape: FileShape<Schema>,
): Promise<ParsedFile> {
  const { text, problem } = await readCareText(bytes)
  return problem === null ? parseCareText(text, shape) : { rowCount: 0, problems: [problem] }
}

/** The text of a file, plain or gzipped, or what is wrong with it. */
export const readCareText = async (
  bytes: Uint8Array,
  maxBytes = maxUnzipped,
): Promise<{ text: string; problem: string | null }> =>
  isGzip(bytes) ? unzip(bytes, maxBytes) : decode(bytes)

/** Parses tab-separated values with a header. */
export function parseCareText<Schema extends z.ZodObject>(
  text: string,
  shape: FileShape<Schema>,
): ParsedFile {
  const [first] = eachLine(text)
  if (!first || text.trim() === '') return { rowCount: 0, problems: ['the file is empty'] }
  const header = first.text.split('\t')
  const missing = Object.keys(shape.columns.shape).filter((name) => !header.includes(name))
  if (missing.length > 0)
    return { rowCount: 0, problems: missing.map((name) => `line 1: the column "${name}" is missing`) }
  const twice = header.find((name, i) => header.indexOf(name) !== i)
  if (twice !== undefined) return { rowCount: 0, problems: [`line 1: the column "${twice}" occurs twice`] }
  return parseRows(text, header, shape)
}

function parseRows<Schema extends z.ZodObject>(
  text: string,
  header: readonly string[],
  { columns, keyOf, onRows }: FileShape<Schema>,
): ParsedFile {
  const problems: string[] = []
  const lineOfKey = new Map<string, number>()
  const wanted = Object.keys(columns.shape).map((name) => ({ name, at: header.indexOf(name) }))
  let batch: ParsedLine<z.output<Schema>>[] = []
  let rowCount = 0
  for (const { line, text: values } of eachLine(text)) {
    if (line === 1) continue
    if (problems.length >= maxProblems) {
      problems.push('there may be more problems; the rest of the file was not read')
      break
    }
    const row = parseRow(values.split('\t'), wanted, header.length, columns)
    if (typeof row === 'string') {
      problems.push(`line ${line}: ${row}`)
      continue
    }
    const key = keyOf(row, values)
    if (key !== null) {
      const before = lineOfKey.get(key)
      if (before === undefined) lineOfKey.set(key, line)
      else problems.push(`line ${line}: it repeats line ${before}: ${key.replaceAll('\t', ', ')}`)
    }
    rowCount++
    batch.push({ line, row })
    if (batch.length < rowsPerBatch) continue
    onRows(batch)
    batch = []
  }
  if (batch.length > 0) onRows(batch)
  if (rowCount === 0 && problems.length === 0) problems.push('line 1: there are no rows after it')
  return { rowCount, problems }
}

/** A row, or what is wrong with it. */
function parseRow<Schema extends z.ZodObject>(
  values: readonly string[],
  wanted: readonly { name: string; at: number }[],
  columnCount: number,
  columns: Schema,
): z.output<Schema> | string {
  if (values.length !== columnCount)
    return `it has ${values.length} columns, and the header has ${columnCount}`
  const given: Record<string, string | undefined> = {}
  for (const { name, at } of wanted) given[name] = values[at]
  const parsed = columns.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`
}

/** The lines of a text without their ends, counted from 1. An end after the last one adds none. */
function* eachLine(text: string): Generator<{ line: number; text: string }> {
  let line = 1
  for (let start = 0; start < text.length; line++) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield { line, text: text.slice(start, text[end - 1] === '\r' ? end - 1 : end) }
    start = end + 1
  }
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Reports of the FDA have stray control characters of older encodings: each becomes a space. */
function decode(bytes: Uint8Array): { text: string; problem: string | null } {
  const text = new TextDecoder().decode(bytes).replace(/[^\P{Cc}\t\r\n]/gu, ' ')
  const broken = text.indexOf('\uFFFD')
  if (broken < 0) return { text, problem: null }
  return { text, problem: `line ${text.slice(0, broken).split('\n').length}: it is not UTF-8` }
}

async function unzip(bytes: Uint8Array, maxBytes: number): Promise<{ text: string; problem: string | null }> {
  const stream = createGunzip()
  stream.end(bytes)
  const chunks: Buffer[] = []
  let size = 0
  let line = 1
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes)
        return { text: '', problem: `the file unpacks to more than ${maxBytes / 2 ** 20} MiB` }
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) line++
      chunks.push(chunk)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
    return { text: '', problem: `line ${line}: the gzip file is broken from here on` }
  }
  return decode(Buffer.concat(chunks))
}
