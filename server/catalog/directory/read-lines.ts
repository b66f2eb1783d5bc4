import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** A line of a file, counted from 1; `text` is null when it is longer than `longestLine`. */
export type Line = { number: number; text: string | null }

export const longestLine = 2 ** 20
const newline = 0x0a
const carriageReturn = 0x0d

/** What was read until the file broke off; the lines before it were given. */
export class FileBroken extends Error {}

/**
 * The lines of a file, plain or .gz, in small batches; memory holds one chunk and at most one line. A gz that breaks
 * off throws FileBroken after its last whole line; a file that cannot be opened throws what the system says.
 * @param onBytes told how many bytes of the file itself were read
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
  let kept: Buffer[] = []
  let keptLength = 0
  let tooLong = false

  const finish = (end: Buffer): Line => {
    number++
    if (tooLong || keptLength + end.length > longestLine) {
      kept = []
      keptLength = 0
      tooLong = false
      return { number, text: null }
    }
    let bytes = kept.length > 0 ? Buffer.concat([...kept, end]) : end
    kept = []
    keptLength = 0
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
      if (start < chunk.length && !tooLong) {
        const rest = chunk.subarray(start)
        keptLength += rest.length
        if (keptLength > longestLine) {
          kept = []
          tooLong = true
        } else kept.push(Buffer.from(rest))
      }
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    if (isZipped && error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new FileBroken(`${path} breaks off after line ${number}`, { cause: error })
    throw error
  } finally {
    file.destroy()
    unzip.destroy()
  }
  if (keptLength > 0) yield [finish(Buffer.alloc(0))]
}
