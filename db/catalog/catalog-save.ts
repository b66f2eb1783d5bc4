import type { Category, DosageForm } from '#domain/catalog/catalog.ts'
import type { Identifier } from '#domain/catalog/identifiers.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'
import { removeOldIdentifiers, saveIdentifiers } from './catalog-identifiers.ts'

export type ImportedManufacturer = { id: string; catalogKey: string; name: string; nameKey: string }

export type ImportedProduct = {
  id: string
  catalogKey: string
  name: string
  sortName: string
  category: Category
  ingredients: string
  route: string | null
  drugClass: string | null
}

/** What a directory says of one package (US) or one DIN (Canada). */
export type ImportedPackage = {
  /** "ndc:0228-2899-96", "din:02399806" or "upc:304690125990". */
  catalogKey: string
  /** Null means generic. */
  brandName: string | null
  genericName: string
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  ndc: string | null
  din: string | null
  upc: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
  /** The FDA application it is marketed under ("ANDA018659"). Null outside the NDC directory. */
  applicationNumber: string | null
  /**
   * The row's schedule as the directory states it, or by its ingredients. Null when it is not
   * scheduled.
   */
  controlledSchedule: string | null
}

/** A directory row to store. `id` is used when no variant with its key exists. */
export type ImportedVariant = {
  id: string
  digest: string
  /** Whether no variant has its key. Only an import makes one, and one import runs at a time. */
  isNew: boolean
  variant: ImportedPackage
  productKey: string
  manufacturer: { key: string; nameKey: string } | null
  /** [kind, label, folded label] */
  names: [string, string, string][]
  identifiers: Identifier[]
}

/** Inserts missing manufacturers. One that an admin created with the same name gets the key. */
export async function saveManufacturers(
  db: Db,
  manufacturers: readonly ImportedManufacturer[],
  now: Date,
): Promise<void> {
  if (manufacturers.length === 0) return
  const list = jsonRows(
    db,
    manufacturers.map((manufacturer) => ({
      id: manufacturer.id,
      key: manufacturer.catalogKey,
      name: manufacturer.name,
      name_key: manufacturer.nameKey,
    })),
    { id: 'text', key: 'text', name: 'text', name_key: 'text' },
  )
  await sql`
    update manufacturers set catalog_key = r.key from ${list}
    where manufacturers.name_key = r.name_key and manufacturers.catalog_key is null
      and not exists (select 1 from manufacturers m where m.catalog_key = r.key)`.execute(db)
  await sql`
    insert into manufacturers (id, name, name_key, catalog_key, created_at, updated_at)
    select r.id, r.name, r.name_key, r.key, ${timestamp(db, now)}, ${timestamp(db, now)}
    from ${list} where true on conflict do nothing`.execute(db)
}

/** Inserts missing products and fills in unknown drug classes, ingredients and routes. */
export async function saveProducts(db: Db, products: readonly ImportedProduct[], now: Date): Promise<void> {
  if (products.length === 0) return
  const list = jsonRows(
    db,
    products.map((product) => ({
      id: product.id,
      key: product.catalogKey,
      name: product.name,
      sort_name: product.sortName,
      category: product.category,
      ingredients: product.ingredients,
      route: product.route,
      drug_class: product.drugClass,
    })),
    {
      id: 'text',
      key: 'text',
      name: 'text',
      sort_name: 'text',
      category: 'text',
      ingredients: 'text',
      route: 'text',
      drug_class: 'text',
    },
  )
  await sql`
    insert into products (id, catalog_key, name, sort_name, category, ingredients, route, drug_class, in_stock,
      created_at, updated_at)
    select r.id, r.key, r.name, r.sort_name, r.category, r.ingredients, r.route, r.drug_class, false,
      ${timestamp(db, now)}, ${timestamp(db, now)}
    from ${list} where true
    on conflict (catalog_key) do update set
      drug_class = coalesce(products.drug_class, excluded.drug_class),
      ingredients = coalesce(products.ingredients, excluded.ingredients),
      route = coalesce(products.route, excluded.route),
      version = products.version + 1
    where (products.drug_class is null and excluded.drug_class is not null)
      or (products.ingredients is null and excluded.ingredients is not null)
      or (products.route is null and excluded.route is not null)`.execute(db)
}

const variantColumns = {
  id: 'text',
  key: 'text',
  digest: 'text',
  product_key: 'text',
  manufacturer_key: 'text',
  manufacturer_name_key: 'text',
  brand_name: 'text',
  generic_name: 'text',
  dosage_form: 'text',
  strength: 'text',
  strength_unit: 'text',
  package_size: 'integer',
  package_unit: 'text',
  ndc: 'text',
  din: 'text',
  upc: 'text',
  label_strength: 'text',
  label_form: 'text',
  label_pack: 'text',
  application_number: 'text',
  controlled_schedule: 'text',
  names: 'jsonb',
} as const

/**
 * Inserts new variants with this stock and updates known ones from the directory. Price, stock, SKU
 * and other values set by admins stay. A variant of a deleted product is deleted, too. Marks their
 * products as touched.
 */
export async function saveVariants(
  db: Db,
  variants: readonly ImportedVariant[],
  stock: number,
  now: Date,
): Promise<void> {
  if (variants.length === 0) return
  const keysOf = (some: readonly ImportedVariant[]): string[] => some.map(({ variant }) => variant.catalogKey)
  const known = variants.filter(({ isNew }) => !isNew)
  // Those that a changed row moves to another product leave one.
  await markTouchedByKeys(db, keysOf(known))
  const list = jsonRows(
    db,
    variants.map(({ variant, ...row }) => ({
      id: row.id,
      key: variant.catalogKey,
      digest: row.digest,
      product_key: row.productKey,
      manufacturer_key: row.manufacturer?.key ?? null,
      manufacturer_name_key: row.manufacturer?.nameKey ?? null,
      brand_name: variant.brandName,
      generic_name: variant.genericName,
      dosage_form: variant.dosageForm,
      strength: variant.strength,
      strength_unit: variant.strengthUnit,
      package_size: variant.packageSize,
      package_unit: variant.packageUnit,
      ndc: variant.ndc,
      din: variant.din,
      upc: variant.upc,
      label_strength: variant.labelStrength,
      label_form: variant.labelForm,
      label_pack: variant.labelPack,
      application_number: variant.applicationNumber,
      controlled_schedule: variant.controlledSchedule,
      names: row.names,
    })),
    variantColumns,
  )
  await removeOldIdentifiers(db, known)
  // Subqueries, not joins: a join would be planned for the table sizes at the start of the import.
  await sql`
    insert into product_variants (id, catalog_key, catalog_digest, product_id, manufacturer_id, brand_name, generic_name,
      dosage_form, strength, strength_unit, package_size, package_unit, ndc, din, upc, label_strength, label_form,
      label_pack, application_number, controlled_schedule, catalog_names, in_stock, stock_quantity, created_at, updated_at,
      deleted_at)
    select r.id, r.key, r.digest, (select p.id from products p where p.catalog_key = r.product_key),
      coalesce((select m.id from manufacturers m where m.catalog_key = r.manufacturer_key),
        (select m.id from manufacturers m where m.name_key = r.manufacturer_name_key)), r.brand_name, r.generic_name,
      r.dosage_form, r.strength, r.strength_unit, r.package_size, r.package_unit, r.ndc, r.din, r.upc,
      r.label_strength, r.label_form, r.label_pack, r.application_number, r.controlled_schedule, r.names,
      ${sql.lit(stock > 0)}, ${sql.lit(stock)}, ${timestamp(db, now)}, ${timestamp(db, now)},
      (select p.deleted_at from products p where p.catalog_key = r.product_key)
    from ${list}
    where true
    on conflict (catalog_key) do update set
      catalog_digest = excluded.catalog_digest, product_id = excluded.product_id,
      manufacturer_id = excluded.manufacturer_id, brand_name = excluded.brand_name,
      generic_name = excluded.generic_name, dosage_form = excluded.dosage_form, strength = excluded.strength,
      strength_unit = excluded.strength_unit, package_size = excluded.package_size,
      package_unit = excluded.package_unit, ndc = excluded.ndc, din = excluded.din,
      upc = coalesce(excluded.upc, product_variants.upc), label_strength = excluded.label_strength,
      label_form = excluded.label_form, label_pack = excluded.label_pack,
      application_number = excluded.application_number,
      controlled_schedule = excluded.controlled_schedule, catalog_names = excluded.catalog_names,
      deleted_at = coalesce(product_variants.deleted_at, excluded.deleted_at),
      version = product_variants.version + 1, updated_at = excluded.updated_at`.execute(db)
  await saveIdentifiers(
    db,
    variants.flatMap(({ variant: { catalogKey }, identifiers }) =>
      identifiers.map((identifier) => ({ ...identifier, catalogKey })),
    ),
  )
  await markTouchedByKeys(db, keysOf(variants))
}

/** Marks the products of the variants with these keys as touched. */
export async function markTouchedByKeys(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into catalog_touched (product_id)
    select distinct product_id from product_variants where ${isOneOf(db, 'catalog_key', sql`${JSON.stringify(keys)}`)}
    on conflict do nothing`.execute(db)
}

/** The first ledger rows of new variants with stock. */
export async function saveFirstStock(
  db: Db,
  rows: readonly { id: string; catalogKey: string }[],
  stock: number,
  now: Date,
): Promise<void> {
  if (rows.length === 0 || stock === 0) return
  const list = jsonRows(
    db,
    rows.map(({ id, catalogKey }) => ({ id, key: catalogKey })),
    { id: 'text', key: 'text' },
  )
  await sql`
    insert into inventory_transactions (id, product_variant_id, transaction_type, quantity_change, quantity_before,
      quantity_after, notes, created_at)
    select r.id, v.id, 'adjustment', ${sql.lit(stock)}, 0, ${sql.lit(stock)}, 'Initial stock from the catalog import',
      ${timestamp(db, now)}
    from ${list} join product_variants v on v.catalog_key = r.key`.execute(db)
}
