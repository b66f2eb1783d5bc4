import { pdfMessages } from '#domain/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { checkPdfObjects, findNamedProblem, type PdfProblem } from '#domain/files/pdf-objects.ts'
import { setImmediate as afterOtherWork } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate as inflateCallback } from 'node:zlib'

const inflate = promisify(inflateCallback)

/** All object streams of a file together, inflated. A scan of many pages has less than 1 MB. */
const maxInflatedBytes = 24 * 1024 * 1024
const maxObjectStreams = 10_000

/**
 * Refuses a PDF with scripts, actions or embedded files, and one that cannot be checked. Throws
 * UNSUPPORTED_TYPE with a sentence that says what to do.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<void> {
  const problem = await findPdfProblem(bytes)
  if (problem !== null) throw new AppError('UNSUPPORTED_TYPE', pdfMessages[problem])
}

async function findPdfProblem(bytes: Uint8Array): Promise<PdfProblem | null> {
  const check = checkPdfObjects(bytes)
  let left = maxInflatedBytes
  let streams = 0
  let damaged: PdfProblem | null = null
  for (;;) {
    const next = check.next()
    if (next.done) return next.value ?? damaged
    if (next.value === null) {
      await afterOtherWork()
      continue
    }
    if (++streams > maxObjectStreams) return 'unreadable'
    const inflated = await inflateWithin(bytes.subarray(next.value.start), left)
    if (inflated === 'too-large') return 'unreadable'
    if (inflated === 'damaged') {
      // In an encrypted file every object stream looks damaged, and its end says why.
      damaged = 'unreadable'
      continue
    }
    left -= inflated.length
    const problem = findNamedProblem(inflated)
    if (problem !== null) return problem
  }
}

/** The inflated bytes, or why there are none. */
async function inflateWithin(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | 'too-large' | 'damaged'> {
  try {
    // The data ends itself, whatever follows it.
    return await inflate(bytes, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large'
    if (code.startsWith('Z_')) return 'damaged'
    throw error
  }
}
