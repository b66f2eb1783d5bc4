import { AppError } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { receiveWithForm } from '#server/files/receive-upload.ts'
import { readForm } from './form-action.server.ts'
import { asPageError } from './page-loader.server.ts'
import { boundaryOf, readMultipart } from './read-multipart.server.ts'

/** What a form with a file brought. */
export type UploadForm = {
  /** The text fields. */
  form: FormData
  /** The reference of the file that came with the form, or that a script uploaded before; null when there is neither. */
  reference: string | null
  /** Why the file that came was not taken; the text fields are there all the same. */
  refusal: AppError | null
}

/** Of all text fields together, their names with them: a form without files may be no longer. */
const maxTextBytes = 64 * 1024
/** No form of ours has as many; each costs some time, however short it is, and whoever sends them need not be signed in. */
const maxParts = 100
/** What is read and dropped of a file that is too big, so that the answer is a page and no broken connection. */
const maxFormBytes = 64 * 1024 * 1024

/**
 * Reads a form in which a file may come, where no script uploaded it before. The file streams into the storage; any other is
 * dropped.
 * @param field the file's name in the form; a text under the same name is a script's reference
 * @throws the error page's answer when there is no form to read
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
    for await (const part of readMultipart(bounded(request.body), boundary)) {
      if (++parts > maxParts) throw new AppError('TOO_LARGE')
      if (!part.isFile) {
        textBytes += Buffer.byteLength(part.name)
        const text = await readText(part.body, maxTextBytes - textBytes)
        textBytes += text.length
        form.append(part.name, text.toString('utf8'))
        continue
      }
      if (part.name !== field || reference !== null || refusal !== null) continue
      const first = await part.body.next()
      if (first.done) continue
      try {
        reference = await receiveWithForm(ctx, startingWith(first.value, part.body))
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

/** What is wrong with the file is told beside it; what is wrong with the form or with us is a page of its own. */
function refusalOf(error: unknown): AppError {
  const appError = toAppError(error)
  if (appError.code === 'INTERNAL' || appError.code === 'BAD_REQUEST') throw error
  return appError
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.byteLength
    if (bytes > maxFormBytes) throw new AppError('TOO_LARGE')
    yield piece
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxBytes) break
    pieces.push(piece)
  }
  if (bytes > maxBytes) throw new AppError('TOO_LARGE')
  return Buffer.concat(pieces)
}
