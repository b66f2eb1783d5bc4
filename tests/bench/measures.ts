import type { Db } from '#db/engine/client.ts'
import type { Goal } from './goals.ts'

/** Paths to request from the shop and, for the same work, from the raw server. */
export type Measure = {
  work: string
  paths: string[]
  /** Without them, the figure stands alone. */
  rawPaths?: () => string[]
  /** The raw server answers `paths`, too: a limit beside another limit. */
  isRaw?: boolean
  cookie?: string
  /** As browsers do. */
  acceptsGzip?: boolean
  /** The other measure of the shop that this one is a share of, in place of the raw limit. */
  beside?: string
  goal?: Goal
  /** What the reply may weigh at most, uncompressed. */
  maxKilobytes?: number
}

const sampleSize = 200
/** Of the shop, but not for these pages. With it, the response is made for the request. */
const unusedCookie = 'sidebar_state=true'
/** The page comes from memory, with a frame of its own. */
const guestCookie = 'theme=dark'
const commonWords = ['tablet', 'hydrochloride', 'sodium', 'solution', 'injection']

/** Two letters in the middle of a name change places. */
const misspell = (word: string): string => word.slice(0, 3) + word.charAt(4) + word.charAt(3) + word.slice(5)

/** Requests derived from the catalog, the same in every run on the same catalog. */
export async function makeMeasures(db: Db): Promise<Measure[]> {
  const products = await db.selectFrom('products').select(['id', 'sortName']).orderBy('id').execute()
  const step = Math.max(1, Math.floor(products.length / sampleSize))
  const sample = products.filter((_, i) => i % step === 0).slice(0, sampleSize)
  const firstWords = [...new Set(sample.map(({ sortName }) => sortName.split(' ')[0] ?? ''))].filter((word) =>
    /^[a-z]{4,}$/.test(word),
  )
  const queries = {
    'search, 4-letter prefix': firstWords.map((word) => word.slice(0, 4)),
    'search, drug name': firstWords,
    'search, common word': commonWords,
    'search, misspelled': firstWords.filter((word) => word.length >= 7).map(misspell),
  }
  const last = await db
    .selectFrom('products')
    .select('id')
    .orderBy('salesOrder', 'desc')
    .orderBy('sortName', 'desc')
    .orderBy('id', 'desc')
    .offset(25)
    .limit(1)
    .executeTakeFirstOrThrow()
  const ids = sample.map(({ id }) => id)
  const cards = (): string[] => ['/cards']
  const hello = (): string[] => ['/hello']
  const share = (atLeast: number): Goal => ({ kind: 'share', atLeast })
  const searchPaths = (name: keyof typeof queries): string[] =>
    queries[name].map((word) => `/api/products/search?q=${word}`)
  const search = (name: keyof typeof queries, goal: Goal): Measure => ({
    work: `${name}, JSON`,
    paths: searchPaths(name),
    rawPaths: () => queries[name].map((word) => `/search?q=${word}`),
    goal,
  })
  const list = '/api/products?limit=24&include=variants'
  const api: Measure[] = [
    search('search, 4-letter prefix', share(0.35)),
    search('search, drug name', share(0.4)),
    search('search, common word', share(4)),
    // The plain search corrects nothing, so it is no limit of this one.
    {
      work: 'search, misspelled, JSON',
      paths: searchPaths('search, misspelled'),
      beside: 'search, drug name, JSON',
      goal: share(0.5),
    },
    { work: 'list of 24 with variants, JSON', paths: [list], rawPaths: () => ['/list'], goal: share(0.3) },
    {
      work: 'the deepest 24, beside the first',
      paths: [`${list}&after=${last.id}`],
      rawPaths: () => ['/list'],
      beside: 'list of 24 with variants, JSON',
      goal: share(1),
    },
    {
      work: 'product by id, JSON',
      paths: ids.map((id) => `/api/products/${id}`),
      rawPaths: () => ids.map((id) => `/product?id=${id}`),
      goal: share(0.4),
    },
  ]
  const shopPages = [
    { name: 'home page', paths: ['/'], fresh: 0.45 },
    { name: 'products list', paths: ['/products'], fresh: 0.45 },
    { name: 'search page', paths: firstWords.map((word) => `/products?q=${word}`), fresh: 0.45 },
    { name: 'product page', paths: ids.map((id) => `/products/${id}`), fresh: 0.6 },
  ]
  return [
    ...api.map((measure): Measure => ({ ...measure, cookie: unusedCookie })),
    ...api
      .filter(({ work }) => !work.startsWith('the deepest'))
      .map(({ work, paths, rawPaths }): Measure => ({
        work: work.replace('JSON', 'no cookies'),
        paths,
        ...(rawPaths && { rawPaths }),
      })),
    { work: 'React Router alone, the same 24 cards', paths: ['/router-cards'], rawPaths: cards, isRaw: true },
    ...shopPages.map(({ name, paths, fresh }): Measure => ({
      work: `${name}, uncached`,
      paths,
      rawPaths: cards,
      cookie: unusedCookie,
      goal: share(fresh),
    })),
    ...shopPages.map(({ name, paths }): Measure => ({
      work: `${name}, visitor with a theme`,
      paths,
      rawPaths: cards,
      cookie: guestCookie,
      acceptsGzip: true,
    })),
    ...shopPages.map(({ name, paths }): Measure => ({
      work: `${name}, visitor without cookies`,
      paths,
      rawPaths: hello,
      acceptsGzip: true,
      goal: share(0.3),
    })),
  ]
}

/** The back office's requests. They need an admin's cookie. */
export const adminMeasures = (cookie: string): Measure[] => [
  ...[
    { name: 'orders', path: '/admin/orders' },
    { name: 'dashboard', path: '/admin' },
  ].map(({ name, path }): Measure => ({
    work: `back office: ${name}`,
    paths: [path],
    rawPaths: () => ['/cards'],
    cookie,
    goal: { kind: 'share', atLeast: 0.2 },
    maxKilobytes: 70,
  })),
  {
    work: 'admin orders through /api, 24 of 480',
    paths: ['/api/orders?limit=24'],
    cookie,
    goal: { kind: 'perSecond', atLeast: 800 },
  },
]
