import { hasNul, nulMessage } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'
import { Dicer } from '@fastify/busboy'
import { once } from 'node:events'
import { Readable } from 'node:stream'

/**
 * One field of a posted form. Read its body before requesting the next part: unread bytes are
 * skipped.
 */
export type Part = { name: string; isFile: boolean; fileName: string; body: AsyncGenerator<Buffer> }

/** More than any of our forms has. Even an empty field costs time. */
export const maxFields = 100
/** Longer headers are cut off, so that a malicious form cannot exhaust memory. */
const headerBounds = { maxHeaderSize: 8 * 1024, maxHeaderPairs: 100 }
const type = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i

/** The boundary in a content type, or null when it is not `multipart/form-data`. */
export function parseBoundary(contentType: string | null): string | null {
  const found = type.exec(contentType ?? '')
  return found?.[1] ?? found?.[2] ?? null
}

/**
 * Browsers percent-encode these three characters in a name (HTML, "multipart/form-data encoding
 * algorithm").
 */
const decodeName = (name: string): string =>
  name.replaceAll(/%22|%0D|%0A/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))

/** How often the text is in the bytes. Stops counting above `limit`. */
export function countOccurrences(bytes: Uint8Array, text: string, limit: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = buffer.indexOf(text); at !== -1 && count <= limit; at = buffer.indexOf(text, at + 1)) count++
  return count
}

/** A part's headers from the parser: bytes decoded as Latin-1, names in lower case. */
type Headers = Readonly<Record<string, string[] | undefined>>

/** The field that the headers name, or null when they name none. */
function readHeaders(headers: Headers): Pick<Part, 'name' | 'isFile' | 'fileName'> | null {
  const bytes = Buffer.from(headers['content-disposition']?.[0] ?? '', 'latin1')
  const disposition = /^\s*form-data(;[^]*)$/i.exec(bytes.toString('utf8'))?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) return null
  const fileName = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? ''
  return {
    name: decodeName(name),
    isFile: /;\s*filename\*?=/i.test(disposition),
    fileName: decodeName(fileName),
  }
}

/**
 * The parts of a posted form as they arrive, in constant memory (RFC 7578). Throws BAD_REQUEST when
 * the form is malformed or incomplete, TOO_LARGE with more than 100 parts, and what its stream
 * throws.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void> {
  const { parser, parts, fail } = startParser(boundary)
  const stop = new AbortController()
  // The parser accepts a chunk only after the earlier parts were read.
  const feed = async (): Promise<void> => {
    let ends = 0
    for await (const chunk of body) {
      if (stop.signal.aborted) return
      // Counted before the parser sees them: it costs a hundred times as much.
      ends += countOccurrences(chunk, `\r\n--${boundary}`, maxFields)
      if (ends > maxFields) throw new AppError('TOO_LARGE')
      if (!parser.write(chunk)) await once(parser, 'drain', { signal: stop.signal })
    }
    parser.end()
  }
  feed().catch(fail)
  try {
    for await (const { stream, ...part } of parts) {
      const chunks = stream[Symbol.asyncIterator]()
      yield { ...part, body: remainingChunks(chunks) }
      for await (const chunk of remainingChunks(chunks)) void chunk
    }
  } finally {
    stop.abort()
    parser.destroy()
  }
}

type ParsedPart = Omit<Part, 'body'> & { stream: Readable }

/**
 * A parser and the queue of its parts. Uses the library's tokenizer, because its `Busboy` drops
 * parts without a field name and treats a backslash in a name as an escape.
 */
function startParser(boundary: string) {
  const parser = new Dicer({ boundary, ...headerBounds })
  const queue = new Readable({ objectMode: true, read: () => {} })
  let open: Readable | null = null
  let hasHeaders = true
  const fail = (error: Error): void => {
    open?.destroy(error)
    queue.destroy(error)
  }
  parser.on('part', (part: Readable) => {
    if (!hasHeaders) return fail(new AppError('BAD_REQUEST'))
    hasHeaders = false
    open = part
    // Without a listener, a part that breaks off before it is read would end the process.
    part.on('error', () => {})
    part.once('header', (headers: Headers) => {
      hasHeaders = true
      const named = readHeaders(headers)
      if (!named || hasNul(named.name)) fail(new AppError('BAD_REQUEST'))
      else if (hasNul(named.fileName)) fail(new AppError('INVALID', `${named.name}: ${nulMessage}`))
      else queue.push({ ...named, stream: part } satisfies ParsedPart)
    })
  })
  parser.on('error', () => fail(new AppError('BAD_REQUEST', 'The upload was interrupted. Try again.')))
  parser.once('finish', () => {
    if (hasHeaders) queue.push(null)
    else fail(new AppError('BAD_REQUEST'))
  })
  return { parser, parts: queue as AsyncIterable<ParsedPart>, fail }
}

/**
 * The remaining chunks of a part. A caller may stop early, because this leaves the stream open.
 */
async function* remainingChunks(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  for (;;) {
    const { done, value } = await chunks.next()
    if (done) return
    yield value
  }
}
