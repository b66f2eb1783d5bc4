import { fileExtensions } from '#domain/files/files.ts'
import type { OpenedFile } from '#server/files/open-file.ts'
import { cacheControl } from './cache.server.ts'
import { streamBody } from './stream-body.server.ts'

/**
 * A person's file for display: never cached, with its exact content type, sandboxed. With `?frame`,
 * our own pages may show a PDF in a frame.
 * @param name the file name for downloads; it names the kind of document and no person
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
      'Cache-Control': cacheControl('private'),
      'Content-Security-Policy': `default-src 'none'; ${isFramed ? "sandbox; frame-ancestors 'self'" : 'sandbox'}`,
      ...(isFramed && { 'X-Frame-Options': 'SAMEORIGIN' }),
    },
  })
}
