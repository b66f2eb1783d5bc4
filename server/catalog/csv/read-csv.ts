import { csvBounds, fileTooLarge } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { CsvError, parse } from 'csv-parse'
import { Readable } from 'node:stream'
import { boundedStream } from '../../files/bounded-stream.ts'

/** A line of a file, counted from 1: where it begins, its cells, and what is wrong with it whatever it says. */
export type CsvLine = { line: number; cells: string[]; fault: string | null }

type Header = { names: string[] }

const delimiters = [',', ';', '\t'] as const
/** Of a header no more is looked at for what parts its cells. */
const maxHeaderCharacters = 64 * 1024
const linesAtOnce = 500

const refuse = (sentence: string): never => {
  throw new AppError('INVALID', undefined, { fields: { file: sentence } })
}

const wrongEncoding = (line: number): never =>
  refuse(
    `Line ${line} is no UTF-8 text. Save the file as “CSV UTF-8” and try again; UTF-16 with its mark is taken too.`,
  )

/**
 * Reads a table that a spreadsheet wrote, in constant memory: first its header, then its lines, some hundred at a time. UTF-8, or UTF-16
 * with its byte order mark; parted by commas, semicolons or tabs, whichever its header has most of. Lines without any text are left out.
 * Throws INVALID (file) naming the line where it is no such table, TOO_LARGE at the first byte beyond the bound, and what `bytes` throws.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Header | CsvLine[], void> {
  const tooLarge = new AppError('TOO_LARGE', fileTooLarge, { fields: { file: fileTooLarge } })
  const text = decoded(boundedStream(bytes, csvBounds.bytes, tooLarge))
  const head = await headOf(text)
  if (head.text.trim() === '') refuse('The file is empty.')
  const parser = parse({
    delimiter: delimiterOf(head.text),
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: csvBounds.line,
    info: true,
  })
  const source = Readable.from(startingWith(head.text, text))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let names: string[] | null = null
  let rows = 0
  let lines: CsvLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - lineBreaksIn(record)
      if (record.some((cell) => cell.includes('\uFFFD'))) wrongEncoding(line)
      if (names === null) {
        names = headerOf(record)
        yield { names }
        continue
      }
      if (++rows > csvBounds.rows) {
        refuse(`The file has more than ${csvBounds.rows.toLocaleString('en-US')} lines. Please split it.`)
      }
      lines.push(toLine(line, record, names))
      if (lines.length < linesAtOnce) continue
      yield lines
      lines = []
    }
  } catch (error) {
    throw error instanceof CsvError ? brokenAt(error) : error
  } finally {
    source.destroy()
    parser.destroy()
  }
  if (rows === 0) refuse('The file has a header and nothing below it.')
  if (lines.length > 0) yield lines
}

type Parsed = { record: string[]; info: { lines: number } }

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

function toLine(line: number, cells: string[], names: readonly string[]): CsvLine {
  // Spreadsheets leave empty cells behind the last column.
  while (cells.length > names.length && cells.at(-1)?.trim() === '') cells.pop()
  const fault =
    cells.length !== names.length
      ? `It has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header ${names.length}.`
      : cells.some((cell) => cell.includes('\0'))
        ? 'It holds a NUL character.'
        : null
  // No database takes a NUL in a text.
  return { line, cells: fault ? cells.map((cell) => cell.replaceAll('\0', '␀')) : cells, fault }
}

function headerOf(record: readonly string[]): string[] {
  const names = record.map((name) => name.trim())
  while (names.at(-1) === '') names.pop()
  if (names.some((name) => name.includes('\0'))) refuse('This is no CSV file: its first line is no text.')
  if (names.length > csvBounds.columns) refuse(`The header has more than ${csvBounds.columns} columns.`)
  const seen = new Set<string>()
  for (const name of names) {
    if (name === '') refuse('A column of the header has no name.')
    if (seen.has(name.toLowerCase())) refuse(`The header names “${name}” twice.`)
    seen.add(name.toLowerCase())
  }
  return names
}

const brokenWords: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark stands in the middle of a cell',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closed quotation mark',
  CSV_MAX_RECORD_SIZE: 'the line is longer than 1 MB',
}

const brokenAt = (error: CsvError): AppError => {
  const line = 'lines' in error && typeof error['lines'] === 'number' ? error['lines'] : null
  const words = brokenWords[error.code] ?? 'it cannot be read'
  return new AppError('INVALID', undefined, {
    fields: { file: line === null ? `The file cannot be read: ${words}.` : `Line ${line}: ${words}.` },
    cause: error,
  })
}

/** What is no text of the encoding comes out as U+FFFD, which no list of medicines holds: its line can be told then. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let first = Buffer.alloc(0)
  let decoder: TextDecoder | null = null
  for await (const piece of bytes) {
    if (decoder) {
      yield decoder.decode(piece, { stream: true })
      continue
    }
    first = Buffer.concat([first, piece])
    if (first.length < 2) continue
    decoder = new TextDecoder(encodingOf(first))
    yield decoder.decode(first, { stream: true })
  }
  yield decoder ? decoder.decode() : first.toString('utf8')
}

const encodingOf = (bytes: Buffer): string => {
  const mark = bytes.readUInt16BE(0)
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
}

/** The text up to the end of its first line at least. */
async function headOf(text: AsyncGenerator<string, void>): Promise<{ text: string }> {
  let head = ''
  while (head.length < maxHeaderCharacters && !/\S[^\n]*\n/.test(head)) {
    const { done, value } = await text.next()
    if (done) break
    head += value
  }
  return { text: head }
}

function delimiterOf(head: string): string {
  const line = head.trimStart().split(/\r?\n/, 1)[0] ?? ''
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = delimiters.map((one) => bare.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
