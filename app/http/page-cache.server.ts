import { randomBytes } from '#domain/random-bytes.ts'
import type { PageVersions } from '#server/catalog/get-page-versions.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { cacheControl } from './cache.server.ts'
import { withoutCampaign } from './campaign-params.ts'
import { cookieEffect } from './cookies.server.ts'
import { hasCurrentVersion } from './etag.server.ts'
import { createStoredPage, type FrameParts, type StoredPage } from './stored-page.server.ts'

/**
 * A page, or a reply of the API, that is the same for every visitor without cookies of the
 * shop, and the version of what it shows.
 */
export type PageKey = {
  url: string
  version: (versions: PageVersions) => string
  /** Whether the request is a guest's, who gets the page with another frame. */
  isGuest: boolean
}

/** A request for what the cache may have. The versions are read before its data. */
export type PageRequest = { request: Request; key: PageKey; versions: PageVersions }

/** A response from the cache, with header names in lower case, and the nonce in its page. */
export type FoundPage = {
  status: 200 | 304
  headers: Map<string, string>
  body: Buffer<ArrayBuffer> | null
  nonce: string
}

type Entry = {
  version: string
  page: StoredPage
  headers: readonly (readonly [name: string, value: string])[]
  etag: string
  bytes: number
}

const maxUrlLength = 300
const noParams = new URLSearchParams()
/** What an entry takes besides its page: its key, its headers and the entry itself. */
const entryBytes = 2000
const inCatalog = ({ catalog }: PageVersions): string => catalog
const inCatalogAndStock = ({ catalog, stock }: PageVersions): string => `${catalog}/ ${stock}`

type CachedPath = {
  kind: 'page' | 'api'
  path: RegExp
  /** A URL with another parameter is not kept: made-up ones would fill the cache. */
  params: ReadonlySet<string>
  /** Without this parameter nothing is kept: a list without `limit` is whole, and is streamed. */
  required?: string
  /** Whether it shows the stock of variants. */
  hasStock: (params: URLSearchParams) => boolean
}

const searchParamNames = 'q manufacturerId ndc din upc category form stock price shipsTo sort'
const namesOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))
const always = (): boolean => true
const never = (): boolean => false
const includesVariants = (params: URLSearchParams): boolean => params.get('include') === 'variants'
const pagePaths: readonly CachedPath[] = [
  { kind: 'page', path: /^\/$/, params: new Set(), hasStock: never },
  { kind: 'page', path: /^\/products$/, params: namesOf(`${searchParamNames} page`), hasStock: never },
  {
    kind: 'page',
    path: /^\/products\/[0-9a-f-]{36}$/,
    params: namesOf('variant variantId form strength brand pack shown'),
    hasStock: always,
  },
]
const apiPaths: readonly CachedPath[] = [
  { kind: 'api', path: /^\/search\/suggestions$/, params: namesOf('q'), hasStock: never },
  {
    kind: 'api',
    path: /^\/api\/products\/search$/,
    params: namesOf(`${searchParamNames} limit include`),
    hasStock: includesVariants,
  },
  {
    kind: 'api',
    path: /^\/api\/products\/[0-9a-f-]{36}$/,
    params: namesOf('include'),
    hasStock: includesVariants,
  },
  {
    kind: 'api',
    path: /^\/api\/products$/,
    params: namesOf('limit after include'),
    required: 'limit',
    hasStock: includesVariants,
  },
]

/**
 * The key of what the cache may have; null for every other request, and for one with an API key, or
 * with a cookie that more than the frame of a page can depend on. A URL with a parameter that its
 * path does not know is not cached, unless it is a campaign's.
 * @param options.api whether to keep replies of the API. With a replica, they are read from it.
 */
export function findPageKey(request: Request, path: string, options: { api: boolean }): PageKey | null {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) return null
  const isOfPath = (known: CachedPath): boolean => known.path.test(path)
  const cached = pagePaths.find(isOfPath) ?? (options.api ? apiPaths.find(isOfPath) : undefined)
  if (!cached || request.headers.has('authorization')) return null
  const effect = cookieEffect(request)
  if (effect === 'any') return null
  // A reply of the API has no frame.
  const isGuest = effect === 'frame' && cached.kind === 'page'
  const start = request.url.indexOf('?')
  const queryString = start < 0 ? '' : request.url.slice(start)
  const query = cached.kind === 'api' ? queryString : withoutCampaign(queryString)
  if (path.length + query.length > maxUrlLength) return null
  // The page for /%70roducts has that path in its links, so it must not be stored for /products.
  if (!request.url.slice(0, start < 0 ? undefined : start).endsWith(path)) return null
  const params = query === '' ? noParams : new URLSearchParams(query)
  if (![...params.keys()].every((name) => cached.params.has(name))) return null
  if (cached.required !== undefined && !params.has(cached.required)) return null
  return { url: path + query, version: cached.hasStock(params) ? inCatalogAndStock : inCatalog, isGuest }
}

export const newNonce = (): string => Buffer.from(randomBytes(16)).toString('base64url')

/**
 * Rendered pages and replies of the API in memory, the least recently used evicted first
 * (docs/decisions/0040-page-cache.md). An entry is used only while the version of what it shows is
 * still the one that was read before its data.
 */
export function createPageCache(maxBytes: number) {
  const entries = new Map<string, Entry>()
  /** A larger one would displace too many others. */
  const maxEntryBytes = maxBytes / 8
  let bytes = 0

  function remove(url: string): void {
    bytes -= entries.get(url)?.bytes ?? 0
    entries.delete(url)
  }

  /** Counts an entry's bytes again, and evicts the least recently used entries beyond the limit. */
  function countBytes(entry: Entry): void {
    bytes -= entry.bytes
    entry.bytes = entryBytes + entry.page.size()
    bytes += entry.bytes
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break
      remove(oldest)
    }
  }

  /** The entry of these versions, which becomes the most recently used. */
  function findEntry(key: PageKey, versions: PageVersions): Entry | null {
    const entry = entries.get(key.url)
    if (entry?.version !== key.version(versions)) return null
    entries.delete(key.url)
    entries.set(key.url, entry)
    return entry
  }

  return {
    maxEntryBytes,

    has: ({ key, versions }: PageRequest): boolean => findEntry(key, versions) !== null,

    /**
     * A visitor's page with a guest's frame. Null when the cache has none, or when the parts of the
     * visitor's frame cannot be cut out of it.
     */
    findForGuest({ request, key, versions }: PageRequest, frame: FrameParts): FoundPage | null {
      const entry = findEntry(key, versions)
      if (!entry) return null
      const nonce = newNonce()
      const gzip = acceptsGzip(request)
      const body = entry.page.fillForGuest(frame, { nonce, gzip })
      countBytes(entry)
      if (!body) return null
      const headers = new Map(entry.headers)
      headers.delete('etag')
      headers.set('cache-control', cacheControl('private'))
      if (gzip) headers.set('content-encoding', 'gzip')
      return { status: 200, headers, body, nonce }
    },

    /** The page with a new nonce, or 304. Null when the cache has none. */
    find({ request, key, versions }: PageRequest): FoundPage | null {
      const entry = findEntry(key, versions)
      if (!entry) return null
      const nonce = newNonce()
      const headers = new Map(entry.headers)
      if (hasCurrentVersion(request, entry.etag)) return { status: 304, headers, body: null, nonce }
      const gzip = acceptsGzip(request)
      if (gzip) headers.set('content-encoding', 'gzip')
      const body = entry.page.fill(nonce, gzip)
      countBytes(entry)
      return { status: 200, headers, body, nonce }
    },

    /**
     * Stores the text of a response, unless it is personal or a failure. Returns whether it did.
     * @param nonce the one in the page; null for a reply of the API
     */
    store(
      { request, key, versions }: PageRequest,
      { response, text, nonce }: { response: Response; text: string; nonce: string | null },
    ): boolean {
      const { headers, status } = response
      const etag = headers.get('etag')
      const isPublic = headers.get('cache-control') === cacheControl('public') && !headers.has('set-cookie')
      if (request.method !== 'GET' || status !== 200 || !isPublic || etag === null) return false
      const page = createStoredPage(text, nonce)
      if (entryBytes + page.size() > maxEntryBytes) return false
      const all = new Headers(headers)
      all.append('Vary', 'Accept-Encoding')
      // The compressed body has another length.
      all.delete('Content-Length')
      remove(key.url)
      const entry = { version: key.version(versions), page, headers: [...all], etag, bytes: 0 }
      entries.set(key.url, entry)
      countBytes(entry)
      return true
    },
  }
}

export type PageCache = ReturnType<typeof createPageCache>
