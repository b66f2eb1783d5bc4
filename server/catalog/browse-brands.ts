import { countBrandsByLetter, findBrandKeys, listBrandKeys, loadBrandCards } from '#db/catalog/brands.ts'
import { brandLetters, type BrandCard, type BrandLetter } from '#domain/catalog/brands.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '#server/context.ts'

/** Values from the URL. A text search ignores the letter. */
export type BrandSearch = {
  letter?: string | undefined
  q?: string | undefined
  /** 1-based. A page past the end returns the last page. */
  page?: number | undefined
}

export type BrandList = {
  brands: BrandCard[]
  /** The number of matches. */
  total: number
  page: number
  pageCount: number
  /** The selected letter. Null for all brands and for a text search. */
  letter: BrandLetter | null
  /** The letters that have brands. */
  letters: BrandLetter[]
}

const pageSize = 48
/** Each word is compared with every name, so their number is limited. */
const maxWords = 6
const maxQueryLength = 100

const countPages = (total: number): number => Math.ceil(total / pageSize)
const clampPage = (page: number | undefined, last: number): number =>
  Math.min(Math.max(1, Math.floor(page ?? 1)), Math.max(1, last))

/**
 * Lists the brands of one letter, of all letters, or those with a name word that starts with each
 * typed word.
 */
export async function browseBrands(
  { reads: db }: Pick<Context, 'reads'>,
  { letter: requestedLetter, q, page: requestedPage }: BrandSearch,
): Promise<BrandList> {
  const counts = await countBrandsByLetter(db)
  const letters = counts.map((count) => count.letter)
  if (q) {
    const words = fold(q.slice(0, maxQueryLength)).split(' ').filter(Boolean).slice(0, maxWords)
    return { ...(await searchBrands(db, words, requestedPage)), letter: null, letters }
  }
  const letter = brandLetters.find((one) => one.toLowerCase() === requestedLetter?.toLowerCase()) ?? null
  const total = counts.reduce((sum, one) => (letter && one.letter !== letter ? sum : sum + one.count), 0)
  const page = clampPage(requestedPage, countPages(total))
  const keys = await listBrandKeys(db, { letter, offset: (page - 1) * pageSize, limit: pageSize })
  return {
    brands: await loadBrandCards(db, keys),
    total,
    page,
    pageCount: countPages(total),
    letter,
    letters,
  }
}

async function searchBrands(
  db: Context['db'],
  words: readonly string[],
  requestedPage: number | undefined,
): Promise<Pick<BrandList, 'brands' | 'total' | 'page' | 'pageCount'>> {
  if (words.length === 0) return { brands: [], total: 0, page: 1, pageCount: 0 }
  const findPage = (page: number) =>
    findBrandKeys(db, words, { offset: (page - 1) * pageSize, limit: pageSize })
  let page = clampPage(requestedPage, Number.MAX_SAFE_INTEGER / pageSize)
  let result = await findPage(page)
  // A page past the end has no rows, so it does not know the total.
  if (result.total === 0 && page > 1) {
    const { total } = await findPage(1)
    page = clampPage(page, countPages(total))
    result = await findPage(page)
  }
  return {
    brands: await loadBrandCards(db, result.keys),
    total: result.total,
    page,
    pageCount: countPages(result.total),
  }
}
