import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createHmac } from 'node:crypto'

const appId = 'app123'
const apiKey = 'sk_test_0123456789'
const ingest = 'https://sea1.ingest.uploadthing.com'
const files = `https://${appId}.ufs.sh`
const api = 'https://api.uploadthing.com/v6'

/** A token as UploadThing's dashboard gives it. */
export const uploadThingToken = Buffer.from(JSON.stringify({ apiKey, appId, regions: ['sea1'] })).toString(
  'base64',
)

const uploadParameters = [
  'expires',
  'x-ut-identifier',
  'x-ut-file-name',
  'x-ut-file-size',
  'x-ut-file-type',
  'x-ut-custom-id',
  'x-ut-content-disposition',
  'signature',
]

const sign = (text: string): string =>
  `hmac-sha256=${createHmac('sha256', apiKey).update(text).digest('hex')}`

/** Whether the URL is signed like the SDK does: over everything before the signature. */
const isSigned = (url: URL): boolean => {
  const [before = '', signature = ''] = url.href.split('&signature=')
  return (
    decodeURIComponent(signature) === sign(before) && Number(url.searchParams.get('expires')) > Date.now()
  )
}

const reject = (status: number, error: string): Response => HttpResponse.json({ error }, { status })

/**
 * Mocks the part of UploadThing's HTTP API that the storage uses, in the shapes of SDK 7.7.4.
 * Rejects unknown parameters, header values and body keys. `breakWith` makes every call fail with
 * this status.
 */
export function mockUploadThing() {
  const stored = new Map<string, Buffer>()
  const state = { breakWith: null as number | null }

  const call = (body: unknown, request: Request, ...keys: string[]): Record<string, unknown> | Response => {
    if (state.breakWith !== null) return reject(state.breakWith, 'broken')
    if (request.headers.get('x-uploadthing-api-key') !== apiKey) return reject(401, 'no key')
    if (request.headers.get('x-uploadthing-version') !== '7.7.4') return reject(400, 'unknown version')
    if (typeof body !== 'object' || body === null) return reject(400, 'no body')
    const unknown = Object.keys(body).filter((key) => !keys.includes(key))
    return unknown.length > 0 ? reject(400, `unknown ${unknown.join()}`) : { ...body }
  }

  const server = setupServer(
    http.put(`${ingest}/:key`, async ({ request }) => {
      if (state.breakWith !== null) return reject(state.breakWith, 'broken')
      const url = new URL(request.url)
      const unknown = [...url.searchParams.keys()].filter((name) => !uploadParameters.includes(name))
      if (unknown.length > 0) return reject(400, `unknown ${unknown.join()}`)
      if (!isSigned(url) || url.searchParams.get('x-ut-identifier') !== appId) return reject(403, 'signature')
      if (request.headers.get('range') !== 'bytes=0-') return reject(416, 'range')
      const form = await request.formData()
      const file = form.get('file')
      if (!(file instanceof File) || [...form.keys()].length !== 1) return reject(400, 'no file')
      const bytes = Buffer.from(await file.arrayBuffer())
      if (bytes.length !== Number(url.searchParams.get('x-ut-file-size'))) return reject(400, 'size')
      const customId = decodeURIComponent(url.searchParams.get('x-ut-custom-id') ?? '')
      if (customId === '' || stored.has(customId)) return reject(409, 'customId')
      stored.set(customId, bytes)
      const address = `${files}/f/${url.pathname.slice(1)}`
      return HttpResponse.json({
        url: address,
        appUrl: address,
        ufsUrl: address,
        fileHash: 'hash',
        serverData: null,
      })
    }),
    http.post(`${api}/requestFileAccess`, async ({ request }) => {
      const body = call(await request.json(), request, 'customId', 'expiresIn')
      if (body instanceof Response) return body
      const id = String(body['customId'])
      if (!stored.has(id)) return reject(404, 'File not found')
      const url = `${files}/f/${id}?expires=${Date.now() + 1000 * Number(body['expiresIn'])}`
      return HttpResponse.json({ url, ufsUrl: `${url}&signature=${encodeURIComponent(sign(url))}` })
    }),
    http.get(`${files}/f/:id`, ({ request, params }) => {
      if (!isSigned(new URL(request.url))) return reject(403, 'signature')
      const bytes = stored.get(String(params['id']))
      return bytes ? new HttpResponse(Uint8Array.from(bytes)) : reject(404, 'File not found')
    }),
    http.post(`${api}/deleteFiles`, async ({ request }) => {
      const body = call(await request.json(), request, 'customIds')
      if (body instanceof Response) return body
      const ids = Array.isArray(body['customIds']) ? body['customIds'].map(String) : []
      return HttpResponse.json({ success: true, deletedCount: ids.filter((id) => stored.delete(id)).length })
    }),
  )
  return { server, stored, state }
}
