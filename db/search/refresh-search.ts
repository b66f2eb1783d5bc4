import { fold } from '#domain/text.ts'
import { sql } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { documentWords, spellingWords, type DocumentSource } from './product-document.ts'
import { addSearchWords } from './search-words-table.ts'
import {
  loadDocumentSources,
  loadMakerNames,
  placeGap,
  removeDocuments,
  replaceDocuments,
} from './stored-documents.ts'

/** Names the lock under which one transaction at a time gives products their places; any number that nothing else locks. */
const placesLock = 4_502_019

/**
 * Brings the search up to date with these products after an edit of theirs or of their variants; one that was deleted leaves it.
 * To be called inside the transaction of the edit, when the products' summaries are already refreshed.
 */
export async function refreshSearch(tx: Db, productIds: readonly string[]): Promise<void> {
  // Of two at once both would find the same place free. SQLite has one writer.
  if (engineOf(tx) === 'postgres') await sql`select pg_advisory_xact_lock(${placesLock})`.execute(tx)
  const ids = sql<string>`${JSON.stringify(productIds)}`
  const handMade = tx.selectFrom('products').select('id').where('catalogKey', 'is', null)
  await tx
    .deleteFrom('productNames')
    .where(isOneOf(tx, 'productId', ids))
    // French names and ingredients come from the directories only and stay.
    .where((eb) => eb.or([eb('kind', '=', 'product'), eb('productId', 'in', handMade)]))
    .execute()
  const makers = await loadMakerNames(tx)
  const sources = await loadDocumentSources(tx, productIds)
  for (const productId of productIds) {
    const source = sources.get(productId)
    if (!source) {
      await removeDocuments(tx, [productId])
      continue
    }
    await writeNames(tx, productId, source)
    const id = await placeOf(tx, productId)
    await replaceDocuments(tx, [{ id, productId, words: documentWords(source, makers) }])
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
 * A place among the documents after the product that goes before this one in the order of results. Once there is no room left
 * between two, it keeps its place or goes to the end, until the next rebuild.
 */
async function placeOf(tx: Db, productId: string): Promise<number> {
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
  const start = before?.id ?? -placeGap
  const following = await tx
    .selectFrom('productDocuments')
    .select('id')
    .where('id', '>', start)
    .where('productId', '!=', productId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!following) return start + placeGap
  const middle = Math.floor((start + following.id) / 2)
  if (middle > start) return middle
  const current = await tx
    .selectFrom('productDocuments')
    .select((eb) => [
      eb.fn.max('id').as('last'),
      eb.fn.max('id').filterWhere('productId', '=', productId).as('own'),
    ])
    .executeTakeFirst()
  return current?.own ?? (current?.last ?? 0) + placeGap
}
