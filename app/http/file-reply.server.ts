import { fileExtensions } from '#domain/files/files.ts'
import type { OpenedFile } from '#server/files/open-file.ts'
import { cacheControl } from './cache.server.ts'
import { streamBody } from './stream-body.server.ts'

/**
 * A person's file as a browser may show it: kept by nobody, taken for nothing but what it is, running nothing. Asked for
 * with `?frame`, a PDF may stand in a frame of our own pages.
 * @param name what it is called when it is saved; says what it is and nothing of whose
 */
export async function fileReply(
  request: Request,
  { contentType, byteSize, stream }: OpenedFile,
  name: 'id-document' | 'prescription',
): Promise<Response> {
  const isHead = request.method === 'HEAD'
  const body = streamBody(stream)
  if (isHead) await body.cancel()
  const isFramed = contentType === 'application/pdf' && new URL(request.url).searchParams.has('frame')
  return new Response(isHead ? null : body, {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(byteSize),
      'Content-Disposition': `inline; filename="${name}.${fileExtensions[contentType]}"`,
      'Cache-Control': cacheControl(false),
      'Content-Security-Policy': `default-src 'none'; ${isFramed ? "sandbox; frame-ancestors 'self'" : 'sandbox'}`,
      ...(isFramed && { 'X-Frame-Options': 'SAMEORIGIN' }),
    },
  })
}
