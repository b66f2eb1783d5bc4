import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'

/** A row of a file with its line, counted from 1. */
export type ParsedLine<Row> = { line: number; row: Row }

/** The rows, or what is wrong with the file, each problem with its line. */
export type ParsedFile<Row> = { rows: ParsedLine<Row>[]; problems: string[] }

/** A file that is as wrong as this has the wrong content. */
const maxProblems = 20
const maxUnzipped = 256 * 2 ** 20
const newline = 0x0a

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Parses a file of tab-separated values with a header, plain or gzipped.
 * @param columns the schema of a row; the file's other columns are ignored
 * @param keyOf what must be unique; null for a row without a key
 */
export async function parseCareFile<Schema extends z.ZodObject>(
  bytes: Uint8Array,
  columns: Schema,
  keyOf: (row: z.output<Schema>) => string | null,
): Promise<ParsedFile<z.output<Schema>>> {
  const unzipped = isGzip(bytes) ? await unzip(bytes) : { text: decode(bytes), problem: null }
  if (unzipped.problem !== null) return { rows: [], problems: [unzipped.problem] }
  if (unzipped.text.trim() === '') return { rows: [], problems: ['the file is empty'] }
  const lines = unzipped.text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const header = splitLine(lines[0] ?? '')
  const missing = Object.keys(columns.shape).filter((name) => !header.includes(name))
  if (missing.length > 0)
    return { rows: [], problems: missing.map((name) => `line 1: the column "${name}" is missing`) }
  const twice = header.find((name, i) => header.indexOf(name) !== i)
  if (twice !== undefined) return { rows: [], problems: [`line 1: the column "${twice}" occurs twice`] }
  if (lines.length === 1) return { rows: [], problems: ['line 1: there are no rows after it'] }
  return parseRows(lines, header, columns, keyOf)
}

function parseRows<Schema extends z.ZodObject>(
  lines: readonly string[],
  header: readonly string[],
  columns: Schema,
  keyOf: (row: z.output<Schema>) => string | null,
): ParsedFile<z.output<Schema>> {
  const rows: ParsedLine<z.output<Schema>>[] = []
  const problems: string[] = []
  const lineOfKey = new Map<string, number>()
  const wanted = Object.keys(columns.shape).map((name) => [name, header.indexOf(name)] as const)
  for (let i = 1; i < lines.length; i++) {
    if (problems.length >= maxProblems) {
      problems.push('there may be more problems; the rest of the file was not read')
      break
    }
    const line = i + 1
    const values = splitLine(lines[i] ?? '')
    if (values.length !== header.length) {
      problems.push(`line ${line}: it has ${values.length} columns, and the header has ${header.length}`)
      continue
    }
    const parsed = columns.safeParse(Object.fromEntries(wanted.map(([name, at]) => [name, values[at]])))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      problems.push(`line ${line}: ${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`)
      continue
    }
    const key = keyOf(parsed.data)
    const before = key === null ? undefined : lineOfKey.get(key)
    if (before !== undefined) problems.push(`line ${line}: it repeats line ${before}: ${key}`)
    else if (key !== null) lineOfKey.set(key, line)
    rows.push({ line, row: parsed.data })
  }
  return { rows, problems }
}

const splitLine = (line: string): string[] => (line.endsWith('\r') ? line.slice(0, -1) : line).split('\t')

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Bytes that are not UTF-8 become U+FFFD, which the columns refuse. */
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

async function unzip(bytes: Uint8Array): Promise<{ text: string; problem: string | null }> {
  const stream = createGunzip()
  stream.end(bytes)
  const chunks: Buffer[] = []
  let size = 0
  let line = 1
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxUnzipped) return { text: '', problem: 'the file unpacks to more than 256 MiB' }
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) line++
      chunks.push(chunk)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
    return { text: '', problem: `line ${line}: the gzip file is broken from here on` }
  }
  return { text: decode(Buffer.concat(chunks)), problem: null }
}
