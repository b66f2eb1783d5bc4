import { AppError } from '#domain/errors.ts'
import { createSniffer } from '#domain/files/file-sniffing.ts'
import {
  fileTooLargeMessage,
  maxFileBytes,
  tooManyPixelsMessage,
  wrongFileTypeMessage,
  type FileType,
} from '#domain/files/files.ts'
import { filePixelLimit, type PixelLimit, type Refusal } from '#domain/files/picture-bounds.ts'
import { boundedStream } from './bounded-stream.ts'
import { withUploadErrors } from './upload-errors.ts'

/** What a door accepts. The messages say what is wrong with a file that it refuses. */
export type FileRules = {
  maxBytes: number
  tooLarge: string
  pixelLimit: PixelLimit
  refusals: Record<Refusal, string>
}

/** Customers' documents. */
export const fileRules: FileRules = {
  maxBytes: maxFileBytes,
  tooLarge: fileTooLargeMessage,
  pixelLimit: filePixelLimit,
  refusals: { unsupported: wrongFileTypeMessage, 'too-many-pixels': tooManyPixelsMessage },
}

/** Holds the result once the stream has ended. */
export type CleanedFile = { byteSize: number; contentType: FileType | null }

/**
 * Passes an upload through without its metadata, and throws as soon as it is not an accepted file:
 * TOO_LARGE, UNSUPPORTED_TYPE, or BAD_REQUEST when the upload broke off.
 */
export async function* cleanStream(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes, tooLarge, pixelLimit, refusals }: FileRules,
  cleaned: CleanedFile,
): AsyncGenerator<Uint8Array> {
  const sniffer = createSniffer(pixelLimit)
  const refuse = (refusal: Refusal): never => {
    throw new AppError('UNSUPPORTED_TYPE', refusals[refusal])
  }
  const bounded = boundedStream(withUploadErrors(body), maxBytes, new AppError('TOO_LARGE', tooLarge))
  for await (const bytes of bounded) {
    const output = sniffer.push(bytes)
    if (typeof output === 'string') return refuse(output)
    for (const part of output) {
      cleaned.byteSize += part.byteLength
      yield part
    }
  }
  cleaned.contentType = sniffer.finish()
  if (cleaned.contentType === null) refuse('unsupported')
}
