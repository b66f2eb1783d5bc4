import { AppError } from '#domain/errors.ts'
import { Dicer } from '@fastify/busboy'
import { once } from 'node:events'
import { Readable } from 'node:stream'

/**
 * One field of a posted form. Its body must be read before the next part is requested; what is left
 * of it is skipped.
 */
export type Part = { name: string; isFile: boolean; fileName: string; body: AsyncGenerator<Buffer> }

/** Headers past these bounds are cut off, so that a made-up form costs no memory. */
const headerBounds = { maxHeaderSize: 8 * 1024, maxHeaderPairs: 100 }
const type = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i

/** The boundary that a content type names, or null when it is no form with files. */
export function boundaryOf(contentType: string | null): string | null {
  const found = type.exec(contentType ?? '')
  return found?.[1] ?? found?.[2] ?? null
}

/** Browsers write these three so in a name (HTML, "multipart/form-data encoding algorithm"). */
const decoded = (name: string): string =>
  name.replaceAll(/%22|%0D|%0A/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))

/** The headers of a part as the parser gives them: bytes as Latin-1, names in lower case. */
type Headers = Readonly<Record<string, string[] | undefined>>

/** Null when they name no field of a form. */
function readHeaders(headers: Headers): Pick<Part, 'name' | 'isFile' | 'fileName'> | null {
  const bytes = Buffer.from(headers['content-disposition']?.[0] ?? '', 'latin1')
  const disposition = /^\s*form-data(;[^]*)$/i.exec(bytes.toString('utf8'))?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) return null
  const fileName = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? ''
  return { name: decoded(name), isFile: /;\s*filename\*?=/i.test(disposition), fileName: decoded(fileName) }
}

/**
 * The parts of a posted form as they arrive, in constant memory (RFC 7578). Throws BAD_REQUEST when
 * the form is malformed or incomplete, and what its stream throws.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void> {
  const { parser, parts, fail } = startParser(boundary)
  const stop = new AbortController()
  // The parser takes a chunk once the parts before it are read.
  const feed = async (): Promise<void> => {
    for await (const chunk of body) {
      if (stop.signal.aborted) return
      if (!parser.write(chunk)) await once(parser, 'drain', { signal: stop.signal })
    }
    parser.end()
  }
  feed().catch(fail)
  try {
    for await (const { stream, ...part } of parts) {
      const chunks = stream[Symbol.asyncIterator]()
      yield { ...part, body: rest(chunks) }
      for await (const chunk of rest(chunks)) void chunk
    }
  } finally {
    stop.abort()
    parser.destroy()
  }
}

type ParsedPart = Omit<Part, 'body'> & { stream: Readable }

/**
 * A parser and the queue of its parts. The library's own `Busboy` drops parts that are no field of
 * a form and takes a backslash in a name for an escape, so its tokenizer is used.
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
    // A part that breaks off before it is read would end the process without a listener.
    part.on('error', () => {})
    part.once('header', (headers: Headers) => {
      hasHeaders = true
      const named = readHeaders(headers)
      if (named) queue.push({ ...named, stream: part } satisfies ParsedPart)
      else fail(new AppError('BAD_REQUEST'))
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
 * What is left of a part. Unlike the iterator itself it may be left early: the stream stays open.
 */
async function* rest(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  for (;;) {
    const { done, value } = await chunks.next()
    if (done) return
    yield value
  }
}
