import { fold } from '#domain/text.ts'
import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { documentWords, spellingWords, type DocumentSource } from '#domain/search/product-document.ts'
import { addSearchWords } from './search-words-table.ts'
import {
  loadDocumentSources,
  loadManufacturerNames,
  positionGap,
  removeDocuments,
  replaceDocuments,
} from './stored-documents.ts'

/**
 * The id of the advisory lock under which one transaction at a time assigns positions. Any number
 * that nothing else uses.
 */
const positionsLock = 4_502_019

/**
 * Updates the search for these products after an edit of them or their variants. Deleted products
 * leave it. Call this inside the edit's transaction, after the summaries are refreshed.
 */
export async function refreshSearch(tx: Db, productIds: readonly string[]): Promise<void> {
  // Otherwise two concurrent edits would find the same free position. SQLite has one writer.
  if (getEngine(tx) === 'postgres') await sql`select pg_advisory_xact_lock(${positionsLock})`.execute(tx)
  const ids = sql<string>`${JSON.stringify(productIds)}`
  const manualProducts = tx.selectFrom('products').select('id').where('catalogKey', 'is', null)
  await tx
    .deleteFrom('productNames')
    .where(isOneOf(tx, 'productId', ids))
    // French names and ingredients come only from the directories and stay.
    .where((eb) => eb.or([eb('kind', '=', 'product'), eb('productId', 'in', manualProducts)]))
    .execute()
  const manufacturerNames = await loadManufacturerNames(tx)
  const sources = await loadDocumentSources(tx, productIds)
  for (const productId of productIds) {
    const source = sources.get(productId)
    if (!source) {
      await removeDocuments(tx, [productId])
      continue
    }
    await writeNames(tx, productId, source)
    const id = await findPosition(tx, productId)
    await replaceDocuments(tx, [{ id, productId, words: documentWords(source, manufacturerNames) }])
    await addSearchWords(tx, spellingWords(source))
  }
}

async function writeNames(tx: Db, productId: string, source: DocumentSource): Promise<void> {
  const rows = [{ kind: 'product' as const, label: source.name }, ...source.names].map(({ kind, label }) => ({
    productId,
    kind,
    label,
    nameKey: fold(label),
  }))
  await tx
    .insertInto('productNames')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * A position right after the product that precedes this one in the order of results. When there is
 * no room between two, it keeps its position or goes to the end, until the next rebuild.
 */
async function findPosition(tx: Db, productId: string): Promise<number> {
  const own = await tx
    .selectFrom('products')
    .select(['salesOrder', 'variantCount', 'sortName', 'id'])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  const before = await tx
    .selectFrom('products')
    .innerJoin('productDocuments', 'productDocuments.productId', 'products.id')
    .select('productDocuments.id')
    .where(
      sql<boolean>`(sales_order, -variant_count, sort_name, products.id) < (${own.salesOrder}, ${-own.variantCount}, ${own.sortName}, ${own.id})`,
    )
    .orderBy('salesOrder', 'desc')
    .orderBy('variantCount', 'asc')
    .orderBy('sortName', 'desc')
    .orderBy('products.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const start = before?.id ?? -positionGap
  const following = await tx
    .selectFrom('productDocuments')
    .select('id')
    .where('id', '>', start)
    .where('productId', '!=', productId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!following) return start + positionGap
  const middle = Math.floor((start + following.id) / 2)
  if (middle > start) return middle
  const current = await tx
    .selectFrom('productDocuments')
    .select((eb) => [
      eb.fn.max('id').as('last'),
      eb.fn.max('id').filterWhere('productId', '=', productId).as('own'),
    ])
    .executeTakeFirst()
  return current?.own ?? (current?.last ?? 0) + positionGap
}
