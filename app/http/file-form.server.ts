import { AppError } from '#domain/errors.ts'
import { boundedStream } from '#server/files/bounded-stream.ts'
import { asPageError } from './page-loader.server.ts'
import { boundaryOf, readMultipart } from './read-multipart.server.ts'

/** The file's largest size, and the messages for one that is larger or missing. */
export type FileBounds = { bytes: number; tooLarge: string; missing: string }

/** Room for what a form holds besides its file. */
const restBytes = 64 * 1024

const refused = (code: 'INVALID' | 'TOO_LARGE', sentence: string): AppError =>
  new AppError(code, code === 'TOO_LARGE' ? sentence : undefined, { fields: { file: sentence } })

/**
 * Passes the file of a posted form (its field `file`) on while it arrives. Throws INVALID (file)
 * without one, and TOO_LARGE (file) as soon as the form declares, or turns out, to be too large.
 * Another method gets the error page's response.
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
  const body = boundedStream(request.body, mostBytes, refused('TOO_LARGE', tooLarge))
  for await (const { isFile, name, fileName, body: file } of readMultipart(body, boundary)) {
    if (isFile && name === 'file' && fileName !== '') return await take({ fileName, body: file })
  }
  throw refused('INVALID', missing)
}
