import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/**
 * A line of a file with its 1-based number. `text` is null when it is longer than `maxLineLength`.
 */
export type Line = { number: number; text: string | null }

export const maxLineLength = 2 ** 20
const newline = 0x0a
const carriageReturn = 0x0d

/** Thrown when a file is truncated. The lines before that were yielded. */
export class TruncatedFileError extends Error {}

/**
 * Yields the lines of a file, plain or .gz, in small batches. Memory holds one chunk and at most
 * one line. A truncated gzip file throws TruncatedFileError after its last whole line; a file that
 * cannot be opened throws the system's error.
 * @param onBytes receives the number of bytes read from the file itself
 */
export async function* readLines(
  path: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Line[]> {
  const file = createReadStream(path, { highWaterMark: 2 ** 17 })
  file.on('data', (chunk) => onBytes(chunk.length))
  const isZipped = path.endsWith('.gz')
  const unzip = createGunzip({ chunkSize: 2 ** 17 })
  if (isZipped) file.on('error', (error) => unzip.destroy(error)).pipe(unzip)
  let number = 0
  let pending: Buffer[] = []
  let pendingLength = 0
  let isTooLong = false

  const finish = (end: Buffer): Line => {
    number++
    if (isTooLong || pendingLength + end.length > maxLineLength) {
      pending = []
      pendingLength = 0
      isTooLong = false
      return { number, text: null }
    }
    let bytes = pending.length > 0 ? Buffer.concat([...pending, end]) : end
    pending = []
    pendingLength = 0
    if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1)
    return { number, text: bytes.toString('utf8') }
  }

  try {
    for await (const chunk of (isZipped ? unzip : file) as AsyncIterable<Buffer>) {
      const lines: Line[] = []
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        lines.push(finish(chunk.subarray(start, end)))
        start = end + 1
      }
      if (start < chunk.length && !isTooLong) {
        const rest = chunk.subarray(start)
        pendingLength += rest.length
        if (pendingLength > maxLineLength) {
          pending = []
          isTooLong = true
        } else pending.push(Buffer.from(rest))
      }
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    if (isZipped && error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new TruncatedFileError(`${path} is truncated after line ${number}`, { cause: error })
    throw error
  } finally {
    file.destroy()
    unzip.destroy()
  }
  if (pendingLength > 0) yield [finish(Buffer.alloc(0))]
}
