import type { BrandCard, BrandLetter } from '#domain/catalog/brands.ts'
import type { DosageForm } from '#domain/catalog/catalog.ts'
import { illustrationAlt, toIllustration, illustrationUrl } from '#domain/catalog/illustration.ts'
import { sql, type RawBuilder } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

type Page = { offset: number; limit: number }

const countsByLetter = prepareQuery((db) =>
  db
    .selectFrom('productBrands')
    .select(['letter', sql<number>`count(distinct brand_key)`.as('count')])
    .groupBy('letter')
    .orderBy('letter'),
)

/**
 * The number of brands per letter, without empty letters. A brand of several products counts once.
 */
export const countBrandsByLetter = (db: Db): Promise<{ letter: BrandLetter; count: number }[]> =>
  countsByLetter(db, {})

const allKeys = prepareQuery((db, p: Params<Page>) =>
  db
    .selectFrom('productBrands')
    .select('brandKey')
    .groupBy(['letter', 'brandKey'])
    .orderBy('letter')
    .orderBy('brandKey')
    .limit(p.limit)
    .offset(p.offset),
)

const keysOfLetter = prepareQuery((db, p: Params<Page & { letter: string }>) =>
  db
    .selectFrom('productBrands')
    .select('brandKey')
    .where('letter', '=', sql<BrandLetter>`${p.letter}`)
    .groupBy('brandKey')
    .orderBy('brandKey')
    .limit(p.limit)
    .offset(p.offset),
)

/**
 * The keys of a page of all brands, or of one letter's, in order. The offset is counted on an
 * index.
 */
export async function listBrandKeys(
  db: Db,
  { letter, ...page }: Page & { letter: BrandLetter | null },
): Promise<string[]> {
  const rows = letter ? await keysOfLetter(db, { letter, ...page }) : await allKeys(db, page)
  return rows.map(({ brandKey }) => brandKey)
}

/** A folded word has only letters and digits, so it cannot contain LIKE wildcards. */
const hasWord = (word: string): RawBuilder<boolean> =>
  sql<boolean>`(brand_key like ${`${word}%`} or brand_key like ${`% ${word}%`})`

const matchingBrands = (db: Db, words: readonly string[]) =>
  words.reduce((query, word) => query.where(hasWord(word)), db.selectFrom('productBrands'))

/**
 * A page of the brands whose name has a word starting with each of these folded words, and the
 * total. Names that start with the first word come first. Scans every name: twelve thousand take
 * two milliseconds.
 */
export async function findBrandKeys(
  db: Db,
  words: readonly string[],
  { offset, limit }: Page,
): Promise<{ keys: string[]; total: number }> {
  const rows = await matchingBrands(db, words)
    .select(['brandKey', sql<number>`count(*) over ()`.as('total')])
    .groupBy(['letter', 'brandKey'])
    .orderBy(sql`case when brand_key like ${`${words[0] ?? ''}%`} then 0 else 1 end`)
    .orderBy('letter')
    .orderBy('brandKey')
    .limit(limit)
    .offset(offset)
    .execute()
  return { keys: rows.map(({ brandKey }) => brandKey), total: rows[0]?.total ?? 0 }
}

type BrandRow = {
  brandKey: string
  label: string
  productId: string
  productName: string
  route: string | null
  category: string
  controlledSchedule: string | null
  variantId: string
  brandName: string | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
}

const brandsOfKeys = prepareQuery((db, p: Params<{ keys: string }>) =>
  db
    .selectFrom('productBrands')
    .innerJoin('products', 'products.id', 'productBrands.productId')
    .innerJoin('productVariants as v', 'v.id', 'productBrands.variantId')
    .select([
      'productBrands.brandKey',
      'productBrands.label',
      'products.id as productId',
      'products.name as productName',
      'products.route',
      'products.category',
      'products.controlledSchedule',
      'v.id as variantId',
      'v.brandName',
      'v.dosageForm',
      'v.strength',
      'v.strengthUnit',
      'v.packageSize',
      'v.packageUnit',
    ])
    .where(isOneOf(db, 'product_brands.brand_key', p.keys))
    .where('products.deletedAt', 'is', null)
    .orderBy('products.salesOrder')
    .orderBy('products.sortName')
    .orderBy('products.id'),
)

const toCard = (row: BrandRow, otherProductCount: number): BrandCard => {
  const shown = toIllustration({ name: row.productName, route: row.route }, row)
  return {
    key: row.brandKey,
    name: row.label,
    productId: row.productId,
    productName: row.productName,
    category: row.category,
    controlledSchedule: row.controlledSchedule,
    variantId: row.variantId,
    image: illustrationUrl(row.variantId, shown),
    imageAlt: illustrationAlt(shown),
    otherProductCount,
  }
}

/** The cards of these brands in the order of the keys, each with its best-selling product. */
export async function loadBrandCards(db: Db, keys: readonly string[]): Promise<BrandCard[]> {
  if (keys.length === 0) return []
  const byKey = new Map<string, BrandRow[]>()
  for (const row of await brandsOfKeys(db, { keys: JSON.stringify(keys) })) {
    const rows = byKey.get(row.brandKey)
    if (rows) rows.push(row)
    else byKey.set(row.brandKey, [row])
  }
  return keys.flatMap((key) => {
    const [first, ...otherProductCount] = byKey.get(key) ?? []
    return first ? [toCard(first, otherProductCount.length)] : []
  })
}
