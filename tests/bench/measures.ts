import type { Db } from '#db/engine/client.ts'

/** Paths to request from the shop and, for the same work, from the raw server. */
export type Measure = { work: string; paths: string[]; rawPaths: (bytes: number) => string[] }

const sampleSize = 200
const commonWords = ['tablet', 'hydrochloride', 'sodium', 'solution', 'injection']

/** Requests derived from the catalog, the same in every run on the same catalog. */
export async function makeMeasures(
  db: Db,
): Promise<{ measures: Measure[]; queries: Record<string, string[]> }> {
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
  const bare = (bytes: number): string[] => [`/plain?bytes=${Math.round(bytes)}`]
  const list = '/api/products?limit=24&include=variants'
  return {
    queries,
    measures: [
      ...Object.entries(queries).map(([work, words]) => ({
        work: `${work}, JSON`,
        paths: words.map((word) => `/api/products/search?q=${word}`),
        rawPaths: () => words.map((word) => `/search?q=${word}`),
      })),
      { work: 'list of 24 with variants, JSON', paths: [list], rawPaths: () => ['/list'] },
      {
        work: 'the last 24 with variants, JSON',
        paths: [`${list}&after=${last.id}`],
        rawPaths: () => ['/list'],
      },
      {
        work: 'product by id, JSON',
        paths: ids.map((id) => `/api/products/${id}`),
        rawPaths: () => ids.map((id) => `/product?id=${id}`),
      },
      { work: 'home page, HTML', paths: ['/'], rawPaths: bare },
      { work: 'search page, HTML', paths: firstWords.map((word) => `/products?q=${word}`), rawPaths: bare },
      { work: 'product page, HTML', paths: ids.map((id) => `/products/${id}`), rawPaths: bare },
    ],
  }
}
