import { AppError } from '#domain/errors.ts'
import { asPageError } from './page-loader.server.ts'
import { boundaryOf, readMultipart } from './read-multipart.server.ts'

/** How large the file may be, and what is said where it is larger or where there is none. */
export type FileBounds = { bytes: number; tooLarge: string; missing: string }

/** What a form holds besides its file. */
const restBytes = 64 * 1024

const refused = (code: 'INVALID' | 'TOO_LARGE', sentence: string): AppError =>
  new AppError(code, code === 'TOO_LARGE' ? sentence : undefined, { fields: { file: sentence } })

/**
 * Hands on the file of a posted form (its field `file`) while it comes. Throws INVALID (file) where there is none, TOO_LARGE (file) as soon
 * as the form says, or proves, that it is larger than any such file; the error page's answer by another method.
 */
export async function readFileForm<Result>(
  request: Request,
  { bytes, tooLarge, missing }: FileBounds,
  take: (file: { fileName: string; body: AsyncIterable<Uint8Array> }) => Promise<Result>,
): Promise<Result> {
  if (request.method !== 'POST') throw asPageError(new AppError('METHOD_NOT_ALLOWED'))
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (boundary === null || !request.body) throw refused('INVALID', missing)
  const mostBytes = bytes + restBytes
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw refused('TOO_LARGE', tooLarge)
  const body = bounded(request.body, mostBytes, tooLarge)
  for await (const { isFile, name, fileName, body: file } of readMultipart(body, boundary)) {
    if (isFile && name === 'file' && fileName !== '') return await take({ fileName, body: file })
  }
  throw refused('INVALID', missing)
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  tooLarge: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.byteLength
    if (bytes > mostBytes) throw refused('TOO_LARGE', tooLarge)
    yield piece
  }
}
