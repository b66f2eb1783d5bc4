import { csvBounds, fileTooLarge } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { CsvError, parse } from 'csv-parse'
import { Readable } from 'node:stream'
import { boundedStream } from '../../files/bounded-stream.ts'

/**
 * A line of the file: its 1-based number, its cells, and what makes it unusable regardless of its
 * values.
 */
export type CsvLine = { line: number; cells: string[]; fault: string | null }

type Header = { names: string[] }

const delimiters = [',', ';', '\t'] as const
/** How much of the header is examined for its delimiter. */
const maxHeaderLength = 64 * 1024
const linesPerBatch = 500

const rejectFile = (message: string): never => {
  throw new AppError('INVALID', undefined, { fields: { file: message } })
}

const rejectEncoding = (line: number): never =>
  rejectFile(
    `Line ${line} isn’t UTF-8 text. Save the file as “CSV UTF-8” and try again. UTF-16 with a byte order mark also works.`,
  )

/**
 * Reads a spreadsheet's CSV in constant memory: first the header, then the lines in batches.
 * Accepts UTF-8, or UTF-16 with a byte order mark, separated by commas, semicolons or tabs,
 * whichever is most common in the header. Skips blank lines. Throws INVALID (file) with the line
 * number for a malformed file, TOO_LARGE at the first byte past the limit, and whatever `bytes`
 * throws.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Header | CsvLine[], void> {
  const tooLarge = new AppError('TOO_LARGE', fileTooLarge, { fields: { file: fileTooLarge } })
  const text = decodeText(boundedStream(bytes, csvBounds.bytes, tooLarge))
  const head = await readHead(text)
  if (head.text.trim() === '') rejectFile('The file is empty.')
  const parser = parse({
    delimiter: detectDelimiter(head.text),
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: csvBounds.line,
    info: true,
  })
  const source = Readable.from(prepend(head.text, text))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let names: string[] | null = null
  let rows = 0
  // The parser counts a CRLF inside quotes as two lines.
  let extraLines = 0
  let lines: CsvLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - breakCharactersIn(record) - extraLines
      extraLines += crlfIn(record)
      if (record.some((cell) => cell.includes('\uFFFD'))) rejectEncoding(line)
      if (names === null) {
        names = parseHeader(record)
        yield { names }
        continue
      }
      if (++rows > csvBounds.rows) {
        rejectFile(
          `The file has more than ${csvBounds.rows.toLocaleString('en-US')} lines. Split it into smaller files.`,
        )
      }
      lines.push(toLine(line, record, names))
      if (lines.length < linesPerBatch) continue
      yield lines
      lines = []
    }
  } catch (error) {
    throw error instanceof CsvError ? toFileError(error) : error
  } finally {
    source.destroy()
    parser.destroy()
  }
  if (rows === 0) rejectFile('The file has a header but no lines.')
  if (lines.length > 0) yield lines
}

type Parsed = { record: string[]; info: { lines: number } }

const count = (cells: readonly string[], pattern: RegExp): number =>
  cells.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0)
const breakCharactersIn = (cells: readonly string[]): number => count(cells, /[\r\n]/g)
const crlfIn = (cells: readonly string[]): number => count(cells, /\r\n/g)

function toLine(line: number, cells: string[], names: readonly string[]): CsvLine {
  // Spreadsheets write empty cells after the last column.
  while (cells.length > names.length && cells.at(-1)?.trim() === '') cells.pop()
  const fault =
    cells.length !== names.length
      ? `This line has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${names.length}.`
      : cells.some((cell) => cell.includes('\0'))
        ? 'This line contains a NUL character.'
        : null
  // Postgres does not store a NUL in text.
  return { line, cells: fault ? cells.map((cell) => cell.replaceAll('\0', '␀')) : cells, fault }
}

function parseHeader(record: readonly string[]): string[] {
  const names = record.map((name) => name.trim())
  while (names.at(-1) === '') names.pop()
  if (names.some((name) => name.includes('\0')))
    rejectFile('This isn’t a CSV file: its first line isn’t text.')
  if (names.length > csvBounds.columns) rejectFile(`The header has more than ${csvBounds.columns} columns.`)
  const seen = new Set<string>()
  for (const name of names) {
    if (name === '') rejectFile('A column in the header has no name.')
    if (seen.has(name.toLowerCase())) rejectFile(`The header has two columns named “${name}”.`)
    seen.add(name.toLowerCase())
  }
  return names
}

const parseErrorMessages: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark is in the middle of a cell',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quotation mark',
  CSV_MAX_RECORD_SIZE: 'the line is longer than 1 MB',
}

const toFileError = (error: CsvError): AppError => {
  const line = 'lines' in error && typeof error['lines'] === 'number' ? error['lines'] : null
  const reason = parseErrorMessages[error.code] ?? 'it can’t be read'
  return new AppError('INVALID', undefined, {
    fields: { file: line === null ? `We couldn’t read the file: ${reason}.` : `Line ${line}: ${reason}.` },
    cause: error,
  })
}

/** Invalid bytes decode to U+FFFD, which no real list contains, so the line can be reported. */
async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let first = Buffer.alloc(0)
  let decoder: TextDecoder | null = null
  for await (const chunk of bytes) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    first = Buffer.concat([first, chunk])
    if (first.length < 2) continue
    decoder = new TextDecoder(detectEncoding(first))
    yield decoder.decode(first, { stream: true })
  }
  yield decoder ? decoder.decode() : first.toString('utf8')
}

const detectEncoding = (bytes: Buffer): string => {
  const byteOrderMark = bytes.readUInt16BE(0)
  return byteOrderMark === 0xfffe ? 'utf-16le' : byteOrderMark === 0xfeff ? 'utf-16be' : 'utf-8'
}

/** The text up to at least the end of its first line that is not blank. */
async function readHead(text: AsyncGenerator<string, void>): Promise<{ text: string }> {
  let head = ''
  let isBlank = true
  while (head.length < maxHeaderLength) {
    const { done, value }: IteratorResult<string> = await text.next()
    if (done) break
    head += value
    const rest: string = isBlank ? value.trimStart() : value
    if (rest.includes('\n')) break
    isBlank &&= rest === ''
  }
  return { text: head }
}

function detectDelimiter(head: string): string {
  const line = head.trimStart().split(/\r?\n/, 1)[0] ?? ''
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = delimiters.map((one) => bare.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
