import type { Category, DosageForm } from '#domain/catalog/catalog.ts'
import { identifiersOf } from '#domain/catalog/identifiers.ts'
import { idOfTime } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { analyzeCatalog } from '../catalog/analyze-catalog.ts'
import type { Db } from '../engine/client.ts'
import { refreshProductSummaries } from '../catalog/product-summaries.ts'
import { rebuildSearch } from '../search/rebuild-search.ts'
import type { Schema } from '../schema/schema.ts'

/** The committed demo catalogue (db/seed/README.md says where its facts come from). */
export type DemoCatalog = {
  manufacturers: { id: string; name: string }[]
  pharmacies: {
    id: string
    name: string
    country: string
    licenseNumber: string
    licenseExpiry: string
    shipsTo: string[]
  }[]
  products: DemoProduct[]
}

export type DemoProduct = {
  id: string
  name: string
  description: string
  ingredients: string
  route: string | null
  drugClass: string | null
  category: Category
  controlledSchedule: string | null
  pharmacyId: string
  unitsSold: number
  catalogKey: string
  /** Ingredients and brands as read, for search. */
  names: { kind: Schema['productNames']['kind']; label: string }[]
  variants: DemoVariant[]
}

export type DemoVariant = {
  id: string
  brandName: string | null
  genericName: string
  manufacturerId: string | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  priceCents: number | null
  acquisitionCostCents: number | null
  upc: string | null
  ndc: string | null
  din: string | null
  stockQuantity: number
  linkedVariantId: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
  catalogKey: string
}

/** Below the parameters that one SQLite statement takes, at the widest table's thirty columns. */
const rowsPerInsert = 500

/**
 * Loads the demo catalogue into an empty shop, with its search, whole or not at all: killed, the next start does it. A
 * shop that has products is left as it is. Returns what it did.
 */
export async function seedDemo(db: Db): Promise<string> {
  if (await hasProducts(db)) return 'the shop has products; nothing seeded'
  const file = await import('./demo-catalog.json', { with: { type: 'json' } })
  // Made by scripts/build-demo-catalog.ts, which has this type.
  const catalogue = file.default as DemoCatalog
  return db.transaction().execute(async (tx) => {
    // Of two that start at once the second waits here, and then finds the products of the first.
    await tx.updateTable('catalogImport').set({ searchIsStale: false }).execute()
    if (await hasProducts(tx)) return 'the shop has products; nothing seeded'
    await insertCatalog(tx, catalogue, new Date())
    await rebuildSearch(tx)
    return `seeded ${catalogue.products.length} products`
  })
}

async function hasProducts(db: Db): Promise<boolean> {
  return (await db.selectFrom('products').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function insertCatalog(db: Db, catalogue: DemoCatalog, now: Date): Promise<void> {
  const stamps = { createdAt: now, updatedAt: now }
  const variants = catalogue.products.flatMap((product) =>
    product.variants.map((variant) => ({ ...variant, productId: product.id })),
  )
  await insertAll(
    db,
    'manufacturers',
    catalogue.manufacturers.map(({ id, name }) => ({ id, name, nameKey: fold(name), ...stamps })),
  )
  await insertAll(
    db,
    'pharmacies',
    catalogue.pharmacies.map((pharmacy) => ({
      ...pharmacy,
      shipsTo: JSON.stringify(pharmacy.shipsTo),
      active: true,
      ...stamps,
    })),
  )
  await insertAll(
    db,
    'products',
    catalogue.products.map(({ names: _names, variants: _variants, ...product }) => ({
      ...product,
      catalogDescription: product.description,
      sortName: fold(product.name),
      ...stamps,
    })),
  )
  await insertAll(
    db,
    'productVariants',
    variants.map((variant) => ({
      ...variant,
      sku: null,
      trackInventory: true,
      inStock: variant.stockQuantity > 0,
      ledgerMs: now.getTime(),
      ...stamps,
    })),
  )
  await insertAll(
    db,
    'variantIdentifiers',
    variants.flatMap((variant) =>
      identifiersOf(variant).map((identifier) => ({ ...identifier, variantId: variant.id })),
    ),
  )
  await insertAll(
    db,
    'productNames',
    catalogue.products.flatMap((product) =>
      [{ kind: 'product' as const, label: product.name }, ...product.names].map(({ kind, label }) => ({
        kind,
        label,
        nameKey: fold(label),
        productId: product.id,
      })),
    ),
  )
  await insertAll(
    db,
    'inventoryTransactions',
    variants
      .filter((variant) => variant.stockQuantity > 0)
      .map((variant) => ({
        id: idOfTime(now.getTime()),
        productVariantId: variant.id,
        transactionType: 'adjustment' as const,
        quantityChange: variant.stockQuantity,
        quantityBefore: 0,
        quantityAfter: variant.stockQuantity,
        notes: 'Opening stock',
        createdAt: now,
      })),
  )
  await analyzeCatalog(db)
  await refreshProductSummaries(
    db,
    catalogue.products.map((product) => product.id),
  )
}

/** Inserts rows in statements of a bounded size; a row that is already there (a name said twice) is passed over. */
async function insertAll<T extends keyof Schema>(db: Db, table: T, rows: readonly object[]): Promise<void> {
  for (let i = 0; i < rows.length; i += rowsPerInsert) {
    await db
      .insertInto(table)
      .values(rows.slice(i, i + rowsPerInsert) as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
