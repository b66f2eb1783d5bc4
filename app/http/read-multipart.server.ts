import { AppError } from '#domain/errors.ts'

/** One field of a posted form. Its body is read before the next part is asked for, or left out. */
export type Part = { name: string; isFile: boolean; fileName: string; body: AsyncGenerator<Buffer> }

const maxHeaderBytes = 8 * 1024
const type = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i

/** The boundary that a content type names, or null when it is no form with files. */
export function boundaryOf(contentType: string | null): string | null {
  const found = type.exec(contentType ?? '')
  return found?.[1] ?? found?.[2] ?? null
}

/** Browsers write these three so in a name (HTML, "multipart/form-data encoding algorithm"). */
const decoded = (name: string): string =>
  name.replaceAll(/%22|%0D|%0A/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))

function readHeaders(text: string): Pick<Part, 'name' | 'isFile' | 'fileName'> {
  const disposition = /^content-disposition:\s*form-data(;[^\r\n]*)$/im.exec(text)?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) throw new AppError('BAD_REQUEST')
  const fileName = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? ''
  return { name: decoded(name), isFile: /;\s*filename\*?=/i.test(disposition), fileName: decoded(fileName) }
}

/**
 * The parts of a posted form as they arrive, in constant memory (RFC 7578); the libraries at hand keep each file whole. Throws
 * BAD_REQUEST when the form is torn, and what its stream throws.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const source = body[Symbol.asyncIterator]()
  // As if a line ended here: the first boundary has none before it.
  let buffer = Buffer.from('\r\n')

  async function fetchMore(): Promise<void> {
    const { done, value } = await source.next()
    if (done) throw new AppError('BAD_REQUEST', 'The form was broken off.')
    buffer = Buffer.concat([buffer, value])
  }

  async function takeUntil(mark: string | Buffer): Promise<Buffer> {
    for (;;) {
      const at = buffer.indexOf(mark)
      if (at > maxHeaderBytes || (at === -1 && buffer.length > maxHeaderBytes))
        throw new AppError('BAD_REQUEST')
      if (at !== -1) {
        const taken = buffer.subarray(0, at)
        buffer = buffer.subarray(at + mark.length)
        return taken
      }
      await fetchMore()
    }
  }

  let isInPart = false
  async function* readPart(): AsyncGenerator<Buffer, void> {
    while (isInPart) {
      const at = buffer.indexOf(delimiter)
      isInPart = at === -1
      const end = isInPart ? buffer.length - delimiter.length + 1 : at
      const piece = buffer.subarray(0, Math.max(0, end))
      buffer = buffer.subarray(isInPart ? piece.length : at + delimiter.length)
      if (piece.length > 0) yield piece
      if (isInPart) await fetchMore()
    }
  }

  try {
    await takeUntil(delimiter)
    for (;;) {
      while (buffer.length < 2) await fetchMore()
      if (buffer.subarray(0, 2).toString('latin1') === '--') return
      if ((await takeUntil('\r\n')).length > 0) throw new AppError('BAD_REQUEST')
      const headers = readHeaders((await takeUntil('\r\n\r\n')).toString('utf8'))
      isInPart = true
      yield { ...headers, body: readPart() }
      for await (const piece of readPart()) void piece
    }
  } finally {
    await source.return?.()
  }
}
