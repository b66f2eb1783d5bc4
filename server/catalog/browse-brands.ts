import { countBrandsByLetter, findBrandKeys, listBrandKeys, loadBrandCards } from '#db/catalog/brands.ts'
import { brandLetters, type BrandCard, type BrandLetter } from '#domain/catalog/brands.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '#server/context.ts'

/** All as a URL gives them. What is looked for is looked for under every letter. */
export type BrandSearch = {
  letter?: string | undefined
  q?: string | undefined
  /** From 1; a page beyond the last is the last. */
  page?: number | undefined
}

export type BrandList = {
  brands: BrandCard[]
  /** How many match. */
  total: number
  page: number
  pageCount: number
  /** The letter that is shown, null for all and for what was looked for. */
  letter: BrandLetter | null
  /** The letters that have brands. */
  letters: BrandLetter[]
}

const pageSize = 48
/** Nobody types more, and each costs a comparison with every name. */
const mostWords = 6
const longestQuery = 100

const pagesOf = (total: number): number => Math.ceil(total / pageSize)
const nearest = (page: number | undefined, last: number): number =>
  Math.min(Math.max(1, Math.floor(page ?? 1)), Math.max(1, last))

/** The brands of a letter, of all letters, or with names of which words begin as typed. */
export async function browseBrands(
  { db }: Pick<Context, 'db'>,
  { letter: asked, q, page: askedPage }: BrandSearch,
): Promise<BrandList> {
  const counts = await countBrandsByLetter(db)
  const letters = counts.map((count) => count.letter)
  if (q) {
    const words = fold(q.slice(0, longestQuery)).split(' ').filter(Boolean).slice(0, mostWords)
    return { ...(await brandsFound(db, words, askedPage)), letter: null, letters }
  }
  const letter = brandLetters.find((one) => one.toLowerCase() === asked?.toLowerCase()) ?? null
  const total = counts.reduce((sum, one) => (letter && one.letter !== letter ? sum : sum + one.count), 0)
  const page = nearest(askedPage, pagesOf(total))
  const keys = await listBrandKeys(db, { letter, offset: (page - 1) * pageSize, limit: pageSize })
  return { brands: await loadBrandCards(db, keys), total, page, pageCount: pagesOf(total), letter, letters }
}

async function brandsFound(
  db: Context['db'],
  words: readonly string[],
  askedPage: number | undefined,
): Promise<Pick<BrandList, 'brands' | 'total' | 'page' | 'pageCount'>> {
  if (words.length === 0) return { brands: [], total: 0, page: 1, pageCount: 0 }
  const pageFrom = (page: number) =>
    findBrandKeys(db, words, { offset: (page - 1) * pageSize, limit: pageSize })
  let page = nearest(askedPage, Number.MAX_SAFE_INTEGER / pageSize)
  let result = await pageFrom(page)
  // A page beyond the last has no rows, so it does not know how many there are.
  if (result.total === 0 && page > 1) {
    const { total } = await pageFrom(1)
    page = nearest(page, pagesOf(total))
    result = await pageFrom(page)
  }
  return {
    brands: await loadBrandCards(db, result.keys),
    total: result.total,
    page,
    pageCount: pagesOf(result.total),
  }
}
