import { documentWords, spellingWords, type WordCache } from '#domain/search/product-document.ts'
import { lockProducts } from '../catalog/catalog-edit.ts'
import type { Db } from '../engine/client.ts'
import {
  listDocumentVersions,
  loadDocumentSources,
  listPositions,
  loadManufacturerNames,
  replaceDocuments,
} from './stored-documents.ts'

/** The words of a product's document, and those that spellings are repaired to. */
export type IndexedWords = { words: readonly string[]; spellings: readonly string[] }

/** Runs one step: in a short transaction of its own, or in the current one. */
export const runStep = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/**
 * Writes the documents of some products, in one short transaction. Their words are read before it,
 * because the shop's own writes wait for it on SQLite. Those of products that changed since then
 * are read again. Returns the words written.
 * @param positions of the documents in the order of results; without it, they keep theirs
 */
export async function indexProducts(
  db: Db,
  ids: readonly string[],
  { cache, positions }: { cache: WordCache; positions?: ReadonlyMap<string, number> },
): Promise<ReadonlyMap<string, IndexedWords>> {
  const versions = await listDocumentVersions(db, ids)
  const indexed = await readWords(db, ids, cache)
  await runStep(db, async (tx) => {
    // Waits for edits that hold a product: they have written its document, and this replaces it.
    await lockProducts(tx, ids)
    const current = await listDocumentVersions(tx, ids)
    const changed = ids.filter((id) => current.get(id) !== versions.get(id))
    for (const id of changed) indexed.delete(id)
    if (changed.length > 0)
      for (const [id, words] of await readWords(tx, changed, cache)) indexed.set(id, words)
    const places = positions ?? (await listPositions(tx, ids))
    const documents = [...indexed].flatMap(([productId, { words }]) => {
      const id = places.get(productId)
      return id === undefined ? [] : [{ id, productId, words }]
    })
    await replaceDocuments(tx, documents)
  })
  return indexed
}

async function readWords(
  db: Db,
  ids: readonly string[],
  cache: WordCache,
): Promise<Map<string, IndexedWords>> {
  const manufacturerNames = await loadManufacturerNames(db)
  const sources = await loadDocumentSources(db, ids)
  return new Map(
    [...sources].map(([id, source]) => [
      id,
      { words: documentWords(source, manufacturerNames, cache), spellings: [...spellingWords(source)] },
    ]),
  )
}

const productsPerStep = 50

/** Indexes a manufacturer's products after it was renamed, in short transactions. */
export async function indexManufacturer(db: Db, manufacturerId: string): Promise<void> {
  const rows = await db
    .selectFrom('productVariants')
    .select('productId')
    .distinct()
    .where('manufacturerId', '=', manufacturerId)
    .where('deletedAt', 'is', null)
    .execute()
  const cache: WordCache = new Map()
  for (let start = 0; start < rows.length; start += productsPerStep) {
    const ids = rows.slice(start, start + productsPerStep).map(({ productId }) => productId)
    await indexProducts(db, ids, { cache })
  }
}
