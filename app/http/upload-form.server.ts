import { AppError } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { boundedStream } from '#server/files/bounded-stream.ts'
import { receiveFormUpload } from '#server/files/receive-upload.ts'
import { buffer } from 'node:stream/consumers'
import { readForm } from './form-action.server.ts'
import { asPageError } from './page-loader.server.ts'
import { boundaryOf, readMultipart } from './read-multipart.server.ts'

/** A form that may hold a file. */
export type UploadForm = {
  /** The text fields. */
  form: FormData
  /** The file's reference: of the one in the form, or of one that a script uploaded before. */
  reference: string | null
  /** Why the file in the form was refused; the text fields are read all the same. */
  refusal: AppError | null
}

/** The bound of all text fields together, with their names; a form without files has the same. */
const maxTextBytes = 64 * 1024
/** More than any form of ours has; each part costs some time, however short it is. */
const maxParts = 100
/**
 * How much of a file that is too large is read and dropped, so that the reply is a page and not a
 * broken connection.
 */
const maxFormBytes = 64 * 1024 * 1024

/**
 * Reads a signed-in user's form that may hold a file, where no script uploaded it before. The file
 * streams into the storage; any other file is dropped.
 * @param field the file's name in the form; a text field of this name holds a script's reference
 * @throws the error page's response when there is no form to read
 */
export async function readUploadForm(
  ctx: Context,
  request: Request,
  field: 'fileUrl' | 'idDocumentURL',
): Promise<UploadForm> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (request.method !== 'POST' || boundary === null || !request.body) {
    return withReference(await readForm(request), field, null, null)
  }
  const form = new FormData()
  let parts = 0
  let textBytes = 0
  let reference: string | null = null
  let refusal: AppError | null = null
  try {
    for await (const part of readMultipart(boundedStream(request.body, maxFormBytes), boundary)) {
      if (++parts > maxParts) throw new AppError('TOO_LARGE')
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
        refusal = refusalOf(error)
      }
    }
  } catch (error) {
    throw asPageError(error)
  }
  return withReference(form, field, reference, refusal)
}

function withReference(
  form: FormData,
  field: string,
  received: string | null,
  refusal: AppError | null,
): UploadForm {
  const sent = form.get(field)
  return { form, reference: received ?? (typeof sent === 'string' && sent !== '' ? sent : null), refusal }
}

/** A fault of the file is shown beside it; a fault of the form, or of ours, is an error page. */
function refusalOf(error: unknown): AppError {
  const appError = toAppError(error)
  if (appError.code === 'INTERNAL' || appError.code === 'BAD_REQUEST') throw error
  return appError
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
