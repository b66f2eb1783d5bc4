import { AppError } from '#domain/errors.ts'
import { csvBounds, tooLargeFile } from '#domain/csv-imports.ts'
import { asPageError } from './page-loader.server.ts'
import { boundaryOf, readMultipart } from './read-multipart.server.ts'

/** What a form holds besides its file. */
const restBytes = 64 * 1024

const noFile = (): AppError =>
  new AppError('INVALID', undefined, { fields: { file: 'Please choose a CSV file.' } })

/**
 * Hands on the file of a posted form while it comes. Throws INVALID (file) where there is none, TOO_LARGE (file) as soon as the form says,
 * or proves, that it is larger than any file we take; the error page's answer by another method.
 */
export async function readCsvForm<Result>(
  request: Request,
  take: (file: { fileName: string; body: AsyncIterable<Uint8Array> }) => Promise<Result>,
): Promise<Result> {
  if (request.method !== 'POST') throw asPageError(new AppError('METHOD_NOT_ALLOWED'))
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (boundary === null || !request.body) throw noFile()
  if (Number(request.headers.get('content-length') ?? 0) > csvBounds.bytes + restBytes) throw tooLarge()
  for await (const { isFile, name, fileName, body } of readMultipart(bounded(request.body), boundary)) {
    if (isFile && name === 'file' && fileName !== '') return await take({ fileName, body })
  }
  throw noFile()
}

const tooLarge = (): AppError => new AppError('TOO_LARGE', tooLargeFile, { fields: { file: tooLargeFile } })

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.byteLength
    if (bytes > csvBounds.bytes + restBytes) throw tooLarge()
    yield piece
  }
}
