import { paths } from '#domain/paths.ts'
import { randomBytes } from '#domain/random-bytes.ts'
import type { PageVersions } from '#server/catalog/get-page-versions.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { cacheControl } from './cache.server.ts'
import { hasCookies } from './cookies.server.ts'
import { hasCurrentVersion } from './etag.server.ts'
import { createGzipTemplate, fillGzip, type GzipTemplate } from './gzip-template.server.ts'

/** A page that every visitor without cookies sees alike, and the version of what it shows. */
export type PageKey = { url: string; version: (versions: PageVersions) => string }

/** A page that was not in the cache: the versions were read before its data. */
export type MissedPage = { request: Request; key: PageKey; versions: PageVersions }

type Entry = {
  version: string
  /** The page's bytes between its nonces. */
  parts: readonly Buffer[]
  /** The same, compressed for the first client that accepts it. */
  gzip: GzipTemplate | null
  headers: readonly (readonly [name: string, value: string])[]
  etag: string
  bytes: number
}

const maxUrlLength = 300
/** For the entry itself, its key and its headers. */
const entryBytes = 2000
/** Our pages compress to a sixth. */
const gzipShare = 0.2
const listParams = new Set(
  'q manufacturerId ndc din upc category form stock price shipsTo sort page'.split(' '),
)
const productParams = new Set('variant variantId form strength brand pack shown'.split(' '))
const productPath = /^\/products\/[0-9a-f-]{36}$/

const inCatalog = ({ catalog }: PageVersions): string => catalog
/** The page of a product also has the stock of its variants. */
const inCatalogAndStock = ({ catalog, stock }: PageVersions): string => `${catalog}/ ${stock}`

/**
 * The key of a cached page; null for every other request, and for one with a cookie that its
 * response can depend on. A URL with a parameter that the page does not know is made fresh, so that
 * made-up parameters do not fill the cache.
 */
export function findPageKey(request: Request, path: string): PageKey | null {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || request.url.length > maxUrlLength || hasCookies(request)) return null
  const start = request.url.indexOf('?')
  const query = start < 0 ? '' : request.url.slice(start)
  const known = path === paths.products ? listParams : productPath.test(path) ? productParams : null
  if (known === null && !(path === paths.home && query === '')) return null
  if (query !== '' && ![...new URLSearchParams(query).keys()].every((name) => known?.has(name))) return null
  return { url: path + query, version: known === productParams ? inCatalogAndStock : inCatalog }
}

function joinPlain({ parts }: Entry, nonce: string): Buffer<ArrayBuffer> {
  const between = Buffer.from(nonce)
  return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [between, part])))
}

export const newNonce = (): string => Buffer.from(randomBytes(16)).toString('base64url')

/**
 * Rendered pages in memory, the longest unused dropped first
 * (docs/decisions/0040-page-cache.md). An entry is used only while the version of what it shows is
 * still the one that was read before it was rendered.
 */
export function createPageCache(maxBytes: number) {
  const entries = new Map<string, Entry>()
  let bytes = 0

  function remove(url: string): void {
    bytes -= entries.get(url)?.bytes ?? 0
    entries.delete(url)
  }

  return {
    /** The page with a new nonce, or 304; null when it must be rendered. */
    find(
      request: Request,
      key: PageKey,
      versions: PageVersions,
    ): { response: Response; nonce: string } | null {
      const entry = entries.get(key.url)
      if (entry?.version !== key.version(versions)) return null
      entries.delete(key.url)
      entries.set(key.url, entry)
      const nonce = newNonce()
      const headers: Record<string, string> = Object.fromEntries(entry.headers)
      if (hasCurrentVersion(request, entry.etag))
        return { response: new Response(null, { status: 304, headers }), nonce }
      if (!acceptsGzip(request))
        return { response: new Response(joinPlain(entry, nonce), { headers }), nonce }
      headers['content-encoding'] = 'gzip'
      entry.gzip ??= createGzipTemplate(entry.parts, nonce.length)
      return { response: new Response(fillGzip(entry.gzip, Buffer.from(nonce)), { headers }), nonce }
    },

    /**
     * Stores a rendered page, unless its response is personal or a failure.
     * @param page its text, with `nonce` in it
     */
    store(
      { request, key, versions }: MissedPage,
      { response, page, nonce }: { response: Response; page: string; nonce: string },
    ): void {
      const { headers, status } = response
      const etag = headers.get('etag')
      const isPublic = headers.get('cache-control') === cacheControl(true) && !headers.has('set-cookie')
      if (request.method !== 'GET' || status !== 200 || !isPublic || etag === null) return
      const parts = page.split(nonce).map((part) => Buffer.from(part))
      const size = parts.reduce((sum, part) => sum + part.length * (1 + gzipShare), entryBytes)
      const all = new Headers(headers)
      all.append('Vary', 'Accept-Encoding')
      remove(key.url)
      entries.set(key.url, {
        version: key.version(versions),
        parts,
        gzip: null,
        headers: [...all],
        etag,
        bytes: size,
      })
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
