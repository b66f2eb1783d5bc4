import { AppError } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { boundedStream } from '#server/files/bounded-stream.ts'
import { receiveFormUpload } from '#server/files/receive-upload.ts'
import { buffer } from 'node:stream/consumers'
import { getText, readForm } from './form-action.server.ts'
import { toPageError } from './page-loader.server.ts'
import { parseBoundary, readMultipart } from './read-multipart.server.ts'

/** A form that may hold a file. */
export type UploadForm = {
  /** The text fields. */
  form: FormData
  /** The reference of the file in the form, or of the file that a script uploaded earlier. */
  reference: string | null
  /** Why the file in the form was rejected. The text fields are read in any case. */
  refusal: AppError | null
}

/** The maximum size of all text fields with their names, the same as for forms without files. */
const maxTextBytes = 64 * 1024
/**
 * How much of an oversized file is read and discarded. Otherwise the browser would show a broken
 * connection instead of the error page.
 */
const maxFormBytes = 64 * 1024 * 1024

/**
 * Reads a signed-in user's form with an optional file, for browsers without scripts. Streams the
 * file into the storage and ignores any other file.
 * @param field the file's name in the form; a text field of this name holds a script's reference
 * @throws the error page's response when there is no form to read
 */
export async function readUploadForm(
  ctx: Context,
  request: Request,
  field: 'fileUrl' | 'idDocumentURL',
): Promise<UploadForm> {
  const boundary = parseBoundary(request.headers.get('content-type'))
  if (request.method !== 'POST' || boundary === null || !request.body) {
    return withReference(await readForm(request), field, null, null)
  }
  const form = new FormData()
  let textBytes = 0
  let reference: string | null = null
  let refusal: AppError | null = null
  try {
    for await (const part of readMultipart(boundedStream(request.body, maxFormBytes), boundary)) {
      if (!part.isFile) {
        textBytes += Buffer.byteLength(part.name)
        if (textBytes > maxTextBytes) throw new AppError('TOO_LARGE')
        const text = await buffer(boundedStream(part.body, maxTextBytes - textBytes))
        textBytes += text.length
        form.append(part.name, text.toString('utf8'))
        continue
      }
      if (part.name !== field || reference !== null || refusal !== null) continue
      const first = await part.body.next()
      if (first.done) continue
      try {
        reference = await receiveFormUpload(ctx, startingWith(first.value, part.body))
      } catch (error) {
        refusal = toRefusal(error)
      }
    }
  } catch (error) {
    throw toPageError(error)
  }
  return withReference(form, field, reference, refusal)
}

function withReference(
  form: FormData,
  field: string,
  received: string | null,
  refusal: AppError | null,
): UploadForm {
  return { form, reference: received ?? (getText(form, field) || null), refusal }
}

/** Returns a problem with the file, to show beside its field. Rethrows any other error. */
function toRefusal(error: unknown): AppError {
  const appError = toAppError(error)
  if (appError.code === 'INTERNAL' || appError.code === 'BAD_REQUEST') throw error
  return appError
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
