import { analyzeCatalogue } from '../catalog/analyze-catalog.ts'
import { sql } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'
import { documentWords, spellingWords, type WordMemory } from './product-document.ts'
import { replaceSearchWords } from './search-words-table.ts'
import {
  loadDocumentSources,
  loadMakerNames,
  placeGap,
  removeDocuments,
  replaceDocuments,
} from './stored-documents.ts'

const productsPerStep = 250
/** Each rebuild numbers its documents above all older ones, so that a step never meets another's numbers. */
const generationSize = 2 ** 32

/** One step: a short transaction of its own, or a part of the one that is on. */
const takeStep = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/**
 * Writes every product's document anew, in today's order of results, and the words for spelling. In short transactions:
 * meanwhile each product is found, by its old words or its new ones. Killed at any point it may simply be run again.
 * Within a transaction it is all part of that one.
 */
export async function rebuildSearch(
  db: Db,
  onProgress: (done: number, of: number) => void | Promise<void> = () => {},
): Promise<void> {
  const makers = await loadMakerNames(db)
  const products = await db
    .selectFrom('products')
    .select('id')
    .where('deletedAt', 'is', null)
    // The order of results within a tier: what sells, then what is offered most, then the name (refresh-search.ts has it too).
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
  const memory: WordMemory = new Map()
  const spelling = new Map<string, number>()

  for (let start = 0; start < products.length; start += productsPerStep) {
    const ids = products.slice(start, start + productsPerStep).map(({ id }) => id)
    const sources = await loadDocumentSources(db, ids)
    const documents = ids.flatMap((productId, i) => {
      const source = sources.get(productId)
      if (!source) return []
      for (const word of spellingWords(source)) spelling.set(word, (spelling.get(word) ?? 0) + 1)
      return [{ id: first + (start + i) * placeGap, productId, words: documentWords(source, makers, memory) }]
    })
    await takeStep(db, (tx) => replaceDocuments(tx, documents))
    await onProgress(Math.min(start + productsPerStep, products.length), products.length)
  }
  await removeStrays(db)
  await replaceSearchWords(db, spelling)
  await mergeIndex(db)
  await analyzeCatalogue(db)
}

/** Documents of products that are gone. */
async function removeStrays(db: Db): Promise<void> {
  const strays = await db
    .selectFrom('productDocuments')
    .innerJoin('products', 'products.id', 'productDocuments.productId')
    .select('productId')
    .where('products.deletedAt', 'is not', null)
    .execute()
  if (strays.length === 0) return
  const gone = strays.map(({ productId }) => productId)
  await takeStep(db, (tx) => removeDocuments(tx, gone))
}

/** Leaves SQLite's full-text index in one piece. */
async function mergeIndex(db: Db): Promise<void> {
  if (engineOf(db) !== 'sqlite') return
  await sql`insert into product_documents_fts (product_documents_fts) values ('optimize')`.execute(db)
}
