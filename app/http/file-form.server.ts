import { AppError } from '#domain/errors.ts'
import { boundedStream } from '#server/files/bounded-stream.ts'
import { toPageError } from './page-loader.server.ts'
import { parseBoundary, readMultipart } from './read-multipart.server.ts'

/** The file's largest size, and the messages for one that is larger or missing. */
export type FileBounds = { bytes: number; tooLarge: string; missing: string }

/** The maximum size of the other fields together. */
const otherFieldsBytes = 64 * 1024

const refused = (code: 'INVALID' | 'TOO_LARGE', sentence: string): AppError =>
  new AppError(code, code === 'TOO_LARGE' ? sentence : undefined, { fields: { file: sentence } })

/**
 * Streams the field `file` of a posted form to `consume` and returns its result. Throws INVALID
 * (file) without a file, and TOO_LARGE (file) as soon as the declared or actual size exceeds the
 * limit. For other methods, throws the error page's response.
 */
export async function readFileForm<Result>(
  request: Request,
  { bytes, tooLarge, missing }: FileBounds,
  consume: (file: { fileName: string; body: AsyncIterable<Uint8Array> }) => Promise<Result>,
): Promise<Result> {
  if (request.method !== 'POST') throw toPageError(new AppError('METHOD_NOT_ALLOWED'))
  const boundary = parseBoundary(request.headers.get('content-type'))
  if (boundary === null || !request.body) throw refused('INVALID', missing)
  const maxFormBytes = bytes + otherFieldsBytes
  if (Number(request.headers.get('content-length') ?? 0) > maxFormBytes) throw refused('TOO_LARGE', tooLarge)
  const body = boundedStream(request.body, maxFormBytes, refused('TOO_LARGE', tooLarge))
  for await (const { isFile, name, fileName, body: file } of readMultipart(body, boundary)) {
    if (isFile && name === 'file' && fileName !== '') return await consume({ fileName, body: file })
  }
  throw refused('INVALID', missing)
}
