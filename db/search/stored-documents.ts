import { sql } from 'kysely'
import { parseNameLabels } from '../catalog/json-columns.ts'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { lockProducts } from '../catalog/catalog-edit.ts'
import type { DocumentName, DocumentSource, DocumentVariant } from '#domain/search/product-document.ts'

/** The gap between two documents' positions, so that a new product fits between its neighbors. */
export const positionGap = 64

/** The data that the documents of these products are built from. Deleted products are omitted. */
export async function loadDocumentSources(
  db: Db,
  productIds: readonly string[],
): Promise<Map<string, DocumentSource & { isManual: boolean }>> {
  const ids = sql<string>`${JSON.stringify(productIds)}`
  const sources = new Map<
    string,
    DocumentSource & { isManual: boolean; names: DocumentName[]; variants: DocumentVariant[] }
  >()
  const products = await db
    .selectFrom('products')
    .select(['id', 'name', 'category', 'route', 'catalogKey'])
    .where(isOneOf(db, 'id', ids))
    .where('deletedAt', 'is', null)
    .execute()
  for (const { id, name, category, route, catalogKey } of products) {
    sources.set(id, { name, category, route, isManual: catalogKey === null, names: [], variants: [] })
  }
  const names = await db
    .selectFrom('productNames')
    .select(['productId', 'kind', 'label'])
    .where(isOneOf(db, 'productId', ids))
    .execute()
  for (const { productId, kind, label } of names) sources.get(productId)?.names.push({ kind, label })
  // Packages of the same strength and form have the same words.
  const variants = await db
    .selectFrom('productVariants')
    .select([
      'productId',
      'brandName',
      'genericName',
      'manufacturerId',
      'dosageForm',
      'strength',
      'strengthUnit',
      'labelStrength',
      'labelForm',
      'catalogNames',
    ])
    .distinct()
    .where(isOneOf(db, 'productId', ids))
    .where('deletedAt', 'is', null)
    .execute()
  for (const { productId, brandName, genericName, catalogNames, ...variant } of variants) {
    const source = sources.get(productId)
    if (!source) continue
    const directoryNames = parseNameLabels(catalogNames)
    source.variants.push({
      ...variant,
      names: [...(brandName ? [brandName] : []), genericName, ...directoryNames],
    })
    // Names written by an admin. The directories' rows have their names from the import.
    if (brandName) addName(source.names, { kind: 'brand', label: brandName })
    if (source.isManual) addName(source.names, { kind: 'ingredient', label: genericName })
  }
  return sources
}

function addName(names: DocumentName[], name: DocumentName): void {
  if (!names.some(({ kind, label }) => kind === name.kind && label === name.label)) names.push(name)
}

/**
 * A fingerprint of each of these products. It changes with the product, its variants and their
 * manufacturers. Deleted products have none.
 */
export async function listDocumentVersions(
  db: Db,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('products as p')
    .leftJoin('productVariants as v', (join) =>
      join.onRef('v.productId', '=', 'p.id').on('v.deletedAt', 'is', null),
    )
    .leftJoin('manufacturers as m', 'm.id', 'v.manufacturerId')
    .select(['p.id', 'p.version'])
    .select((eb) => [
      eb.fn.count<number>('v.id').as('variants'),
      eb.cast<number>(eb.fn.sum('v.version'), 'bigint').as('versions'),
      eb.cast<number>(eb.fn.sum('m.version'), 'bigint').as('manufacturers'),
    ])
    .where(isOneOf(db, 'p.id', sql`${JSON.stringify(productIds)}`))
    .where('p.deletedAt', 'is', null)
    .groupBy(['p.id', 'p.version'])
    .execute()
  return new Map(
    rows.map(({ id, version, ...sums }) => [
      id,
      [version, sums.variants, sums.versions, sums.manufacturers].join('.'),
    ]),
  )
}

/** The manufacturers' names by id. */
export async function loadManufacturerNames(db: Db): Promise<Map<string, string>> {
  const manufacturers = await db.selectFrom('manufacturers').select(['id', 'name']).execute()
  return new Map(manufacturers.map(({ id, name }) => [id, name]))
}

export type StoredDocument = { id: number; productId: string; words: readonly string[] }

/** The positions of the documents of these products. */
export async function listPositions(db: Db, productIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('productDocuments')
    .select(['id', 'productId'])
    .where(isOneOf(db, 'productId', sql`${JSON.stringify(productIds)}`))
    .execute()
  return new Map(rows.map(({ id, productId }) => [productId, id]))
}

/** Removes the documents of these products. */
export async function removeDocuments(db: Db, productIds: readonly string[]): Promise<void> {
  const ids = sql<string>`${JSON.stringify(productIds)}`
  if (getEngine(db) === 'sqlite') {
    await sql`delete from product_documents_fts where rowid in (
      select id from product_documents where ${isOneOf(db, 'productId', ids)})`.execute(db)
  }
  await db
    .deleteFrom('productDocuments')
    .where(isOneOf(db, 'productId', ids))
    .execute()
}

/**
 * Replaces the documents of these products. A trigger adds their offers, which a concurrent sale
 * changes in the documents that it sees. So on Postgres, it waits until these are committed.
 */
export async function replaceDocuments(db: Db, documents: readonly StoredDocument[]): Promise<void> {
  const productIds = documents.map(({ productId }) => productId)
  if (getEngine(db) === 'postgres' && productIds.length > 0) await lockProducts(db, productIds)
  await removeDocuments(db, productIds)
  const rows = JSON.stringify(
    documents.map(({ id, productId, words }) => ({ id, productId, words: words.join(' ') })),
  )
  if (getEngine(db) === 'sqlite') {
    await sql`insert into product_documents (id, product_id)
      select value ->> 'id', value ->> 'productId' from json_each(${rows})`.execute(db)
    await sql`insert into product_documents_fts (rowid, words)
      select value ->> 'id', value ->> 'words' from json_each(${rows})`.execute(db)
  } else {
    await sql`insert into product_documents (id, product_id, words)
      select (value ->> 'id')::bigint, value ->> 'productId', array_to_tsvector(string_to_array(value ->> 'words', ' '))
      from jsonb_array_elements(${rows}::jsonb)`.execute(db)
  }
}
