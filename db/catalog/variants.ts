import type { DosageForm, Variant, VariantDetail } from '#domain/catalog/catalog.ts'
import { labelOfRow, toFormDetail } from '#domain/catalog/form-label.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { Illustration } from '#domain/catalog/illustration.ts'
import { toIllustration } from '#domain/catalog/illustration.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** The public columns of a variant. Acquisition cost is not among them. */
export const publicVariantColumns = [
  'productVariants.id',
  'productVariants.productId',
  'productVariants.brandName',
  'productVariants.genericName',
  'productVariants.manufacturerId',
  'productVariants.dosageForm',
  'productVariants.labelForm',
  'productVariants.strength',
  'productVariants.strengthUnit',
  'productVariants.packageSize',
  'productVariants.packageUnit',
  'productVariants.priceCents',
  'productVariants.sku',
  'productVariants.upc',
  'productVariants.ndc',
  'productVariants.din',
  'productVariants.inStock',
  'productVariants.stockQuantity',
  'productVariants.trackInventory',
  'productVariants.linkedVariantId',
] as const

export type PublicVariantRow = Omit<Variant, 'price' | 'dosageForm' | 'formDetail'> & {
  priceCents: number | null
  dosageForm: DosageForm | null
  labelForm: string | null
}

/** A row as the API and pages show it, with the price as a decimal string. */
export function toVariant(row: PublicVariantRow): Variant {
  return {
    id: row.id,
    productId: row.productId,
    brandName: row.brandName,
    genericName: row.genericName,
    manufacturerId: row.manufacturerId,
    dosageForm: row.dosageForm,
    formDetail: toFormDetail(row.dosageForm, row.labelForm),
    strength: row.strength,
    strengthUnit: row.strengthUnit,
    packageSize: row.packageSize,
    packageUnit: row.packageUnit,
    price: row.priceCents === null ? null : decimalFromCents(row.priceCents),
    sku: row.sku,
    upc: row.upc,
    ndc: row.ndc,
    din: row.din,
    inStock: row.inStock,
    stockQuantity: row.stockQuantity,
    trackInventory: row.trackInventory,
    linkedVariantId: row.linkedVariantId,
  }
}

const variantsOfProduct = prepareQuery((db, p: Params<{ productId: string }>) =>
  db
    .selectFrom('productVariants')
    .leftJoin('manufacturers', 'manufacturers.id', 'productVariants.manufacturerId')
    .select(publicVariantColumns)
    .select(['manufacturers.name as manufacturerName', 'labelStrength', 'labelPack', 'applicationNumber'])
    .where('productVariants.productId', '=', p.productId)
    .where('productVariants.deletedAt', 'is', null)
    .orderBy('productVariants.id'),
)

/**
 * A product's variants with their manufacturers' names and the directory's label text, oldest
 * first, and the FDA applications of those that have one, by variant.
 */
export async function listProductVariants(
  db: Db,
  productId: string,
): Promise<{ variants: VariantDetail[]; applications: Map<string, string> }> {
  const rows = await variantsOfProduct(db, { productId })
  const applications = new Map<string, string>()
  for (const { id, applicationNumber } of rows)
    if (applicationNumber !== null) applications.set(id, applicationNumber)
  const variants = rows.map((row) =>
    // Not spread: for a thousand variants spreading takes 8 ms and this 0.5 ms.
    Object.assign(toVariant(row), {
      manufacturerName: row.manufacturerName,
      labelStrength: row.labelStrength,
      labelForm: row.labelForm,
      labelPack: row.labelPack,
    }),
  )
  return { variants, applications }
}

const variantsPage = prepareQuery((db, p: Params<{ after: string; limit: number }>) =>
  db
    .selectFrom('productVariants')
    .select(publicVariantColumns)
    .where('productVariants.deletedAt', 'is', null)
    .where('productVariants.id', '>', p.after)
    .orderBy('productVariants.id')
    .limit(p.limit),
)

/** The next `limit` variants by id after one. `''` starts at the first. */
export async function listVariants(db: Db, page: { after: string; limit: number }): Promise<Variant[]> {
  return (await variantsPage(db, page)).map(toVariant)
}

const variantsOfProducts = prepareQuery((db, p: Params<{ productIds: string }>) =>
  db
    .selectFrom('productVariants')
    .select(publicVariantColumns)
    .where(isOneOf(db, 'product_variants.product_id', p.productIds))
    .where('productVariants.deletedAt', 'is', null)
    .orderBy('productVariants.id'),
)

/** The variants of several products, by product id. */
export async function listVariantsOfProducts(
  db: Db,
  productIds: readonly string[],
): Promise<Map<string, Variant[]>> {
  const grouped = new Map<string, Variant[]>(productIds.map((id) => [id, []]))
  for (const row of await variantsOfProducts(db, { productIds: JSON.stringify(productIds) })) {
    grouped.get(row.productId)?.push(toVariant(row))
  }
  return grouped
}

const liveVariant = prepareQuery((db, p: Params<{ id: string }>) =>
  db.selectFrom('productVariants').select('id').where('id', '=', p.id).where('deletedAt', 'is', null),
)

/** Whether a live variant with this id exists. */
export async function variantExists(db: Db, id: string): Promise<boolean> {
  const rows = await liveVariant(db, { id })
  return rows.length > 0
}

/** What a variant's illustration shows, or null. */
export async function findIllustration(db: Db, variantId: string): Promise<Illustration | null> {
  const row = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select([
      'products.name',
      'products.route',
      'brandName',
      'dosageForm',
      'strength',
      'strengthUnit',
      'packageSize',
      'packageUnit',
    ])
    .where('productVariants.id', '=', variantId)
    .executeTakeFirst()
  return row ? toIllustration(row, row) : null
}

const costs = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants')
    .select(['id', 'acquisitionCostCents'])
    .where(isOneOf(db, 'id', p.ids)),
)

/** The acquisition costs of these variants in cents, by id. Null when unknown. */
export async function listAcquisitionCosts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await costs(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.id, row.acquisitionCostCents]))
}

/** The variants with exactly this SKU. */
export async function findVariantIdsBySku(db: Db, sku: string): Promise<string[]> {
  const rows = await db
    .selectFrom('productVariants')
    .select('id')
    .where('sku', '=', sku)
    .where('deletedAt', 'is', null)
    .limit(500)
    .execute()
  return rows.map(({ id }) => id)
}

/** The products of these variants, each once. */
export async function findProductIds(db: Db, variantIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('productVariants')
    .select('productId')
    .distinct()
    .where(isOneOf(db, 'id', sql`${JSON.stringify(variantIds)}`))
    .execute()
  return rows.map(({ productId }) => productId)
}

/** The products with a variant of these manufacturers, each once. */
export async function findProductIdsOfManufacturers(
  db: Db,
  manufacturerIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('productVariants')
    .select('productId')
    .distinct()
    .where(isOneOf(db, 'manufacturer_id', sql`${JSON.stringify(manufacturerIds)}`))
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ productId }) => productId)
}

const labelColumns = [
  'brandName',
  'strength',
  'strengthUnit',
  'packageSize',
  'packageUnit',
  'dosageForm',
  'labelForm',
] as const

/** A product's variants with the fields of their label, for a list of options. */
export const listSiblings = (db: Db, productId: string) =>
  db
    .selectFrom('productVariants')
    .select(['id', ...labelColumns])
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()

/** A product's variants with their units on hand. */
export const listStockOfProduct = (db: Db, productId: string) =>
  db
    .selectFrom('productVariants')
    .select(['id', 'stockQuantity'])
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .execute()

/** The labels of these variants by id, including deleted ones. */
export async function findVariantLabels(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('productVariants')
    .select(['id', ...labelColumns])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
  return new Map(rows.map((row) => [row.id, labelOfRow(row)]))
}
