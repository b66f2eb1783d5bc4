import { analyzeCatalog } from '../catalog/analyze-catalog.ts'
import { sql } from 'kysely'
import { repeatBulk } from '../engine/bulk.ts'
import { getEngine, type Db } from '../engine/client.ts'
import type { WordCache } from '#domain/search/product-document.ts'
import { indexProducts, runStep } from './index-products.ts'
import { loadSearchWords, replaceSearchWords } from './search-words-table.ts'
import { positionGap, removeDocuments } from './stored-documents.ts'

const productsPerStep = 500
/**
 * Each rebuild numbers its documents above all older ones, so that a step never collides with
 * existing numbers.
 */
const generationSize = 2 ** 32

/**
 * Rewrites every product's document, in the current order of results, and the words for spelling
 * correction. It uses short transactions, and every product stays searchable by its old or its new
 * words. If killed, it can simply run again. Inside a transaction everything is part of that
 * transaction.
 */
export async function rebuildSearch(
  db: Db,
  onProgress: (done: number, of: number) => void | Promise<void> = () => {},
): Promise<void> {
  const products = await db
    .selectFrom('products')
    .select('id')
    .where('deletedAt', 'is', null)
    // The order of results within a tier: units sold, then number of variants, then name (also in
    // refresh-search.ts).
    .orderBy('salesOrder')
    .orderBy('variantCount', 'desc')
    .orderBy('sortName')
    .orderBy('id')
    .execute()
  const { last } = await db
    .selectFrom('productDocuments')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const first = last === null ? 0 : (Math.floor(last / generationSize) + 1) * generationSize
  const knownWords = await loadSearchWords(db)
  const cache: WordCache = new Map()
  const wordCounts = new Map<string, number>()

  let [taken, done] = [0, 0]
  await repeatBulk(db, async () => {
    const start = taken
    const ids = products.slice(start, (taken += productsPerStep)).map(({ id }) => id)
    if (ids.length === 0) return false
    const positions = new Map(ids.map((id, i) => [id, first + (start + i) * positionGap]))
    const indexed = await indexProducts(db, ids, { cache, positions })
    for (const { spellings } of indexed.values())
      for (const word of spellings) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1)
    await onProgress((done += ids.length), products.length)
    return true
  })
  await removeOrphans(db)
  await replaceSearchWords(db, { known: knownWords, words: wordCounts })
  await mergeIndex(db)
  await analyzeCatalog(db)
}

/** Removes the documents of deleted products. */
async function removeOrphans(db: Db): Promise<void> {
  const orphans = await db
    .selectFrom('productDocuments')
    .innerJoin('products', 'products.id', 'productDocuments.productId')
    .select('productId')
    .where('products.deletedAt', 'is not', null)
    .execute()
  if (orphans.length === 0) return
  const orphanIds = orphans.map(({ productId }) => productId)
  await runStep(db, (tx) => removeDocuments(tx, orphanIds))
}

/** Merges SQLite's full-text index into one segment. */
async function mergeIndex(db: Db): Promise<void> {
  if (getEngine(db) !== 'sqlite') return
  await sql`insert into product_documents_fts (product_documents_fts) values ('optimize')`.execute(db)
}
