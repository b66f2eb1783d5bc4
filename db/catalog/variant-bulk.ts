import { listIdentifiers } from '#domain/catalog/identifiers.ts'
import type { VariantValues } from '#domain/catalog/variant-wire.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'

/**
 * Writes many variants, each function in one statement. Callers lock the rows, write the ledger and
 * refresh the summaries and the search.
 */

type VariantRecord = VariantValues & { id: string }
type NewVariantRecord = VariantRecord & { productId: string; genericName: string }

/** The columns of the fields, with their types in JSON. */
const columns = {
  brandName: ['brand_name', 'text'],
  manufacturerId: ['manufacturer_id', 'text'],
  dosageForm: ['dosage_form', 'text'],
  strength: ['strength', 'text'],
  strengthUnit: ['strength_unit', 'text'],
  packageSize: ['package_size', 'integer'],
  packageUnit: ['package_unit', 'text'],
  priceCents: ['price_cents', 'bigint'],
  acquisitionCostCents: ['acquisition_cost_cents', 'bigint'],
  sku: ['sku', 'text'],
  upc: ['upc', 'text'],
  ndc: ['ndc', 'text'],
  din: ['din', 'text'],
  trackInventory: ['track_inventory', 'boolean'],
  inStock: ['in_stock', 'boolean'],
  linkedVariantId: ['linked_variant_id', 'text'],
} as const satisfies Record<
  Exclude<keyof VariantValues, 'stockQuantity'>,
  readonly [string, 'text' | 'integer' | 'bigint' | 'boolean']
>

type Field = keyof typeof columns
const fields = Object.keys(columns) as Field[]
const columnTypes = Object.fromEntries(fields.map((field) => columns[field]))

const toJsonRow = (variant: VariantRecord): Record<string, unknown> => ({
  id: variant.id,
  ...Object.fromEntries(fields.map((field) => [columns[field][0], variant[field]])),
})

/**
 * Updates variants. Their stock stays. A changed NDC clears the application number, which belonged
 * to the earlier package.
 */
export async function updateVariants(db: Db, variants: readonly VariantRecord[], now: Date): Promise<void> {
  if (variants.length === 0) return
  const list = jsonRows(db, variants.map(toJsonRow), { id: 'text', ...columnTypes })
  const set = fields.map((field) => sql`${sql.ref(columns[field][0])} = r.${sql.ref(columns[field][0])}`)
  await sql`update product_variants set ${sql.join(set)}, version = product_variants.version + 1,
      application_number = case when product_variants.ndc is not distinct from r.ndc then application_number end,
      updated_at = ${timestamp(db, now)}
    from ${list} where product_variants.id = r.id`.execute(db)
}

/** Inserts variants. The caller writes their first stock to the ledger. */
export async function insertVariants(
  db: Db,
  variants: readonly NewVariantRecord[],
  now: Date,
): Promise<void> {
  if (variants.length === 0) return
  const list = jsonRows(
    db,
    variants.map((variant) => ({
      ...toJsonRow(variant),
      product_id: variant.productId,
      generic_name: variant.genericName,
      stock_quantity: variant.stockQuantity,
    })),
    { id: 'text', product_id: 'text', generic_name: 'text', stock_quantity: 'integer', ...columnTypes },
  )
  const names = sql.join(fields.map((field) => sql.ref(columns[field][0])))
  const values = sql.join(fields.map((field) => sql`r.${sql.ref(columns[field][0])}`))
  await sql`insert into product_variants (id, product_id, generic_name, stock_quantity, ${names}, created_at, updated_at)
    select r.id, r.product_id, r.generic_name, r.stock_quantity, ${values}, ${timestamp(db, now)}, ${timestamp(db, now)}
    from ${list} where true`.execute(db)
}

type Identified = { id: string; ndc: string | null; din: string | null; upc: string | null }

/** Replaces the identifiers that variants had `before` by those they have `after`. */
export async function replaceIdentifiers(
  db: Db,
  { before, after }: { before: readonly Identified[]; after: readonly Identified[] },
): Promise<void> {
  const listOf = (variants: readonly Identified[]) =>
    jsonRows(
      db,
      variants.flatMap((one) =>
        listIdentifiers(one).map(({ value, kind }) => ({ value, kind, variant_id: one.id })),
      ),
      { value: 'text', kind: 'text', variant_id: 'text' },
    )
  if (before.length > 0) {
    await sql`delete from variant_identifiers
      where (value, kind, variant_id) in (select r.value, r.kind, r.variant_id from ${listOf(before)})`.execute(
      db,
    )
  }
  if (after.length === 0) return
  await sql`insert into variant_identifiers (value, kind, variant_id)
    select r.value, r.kind, r.variant_id from ${listOf(after)} where true on conflict do nothing`.execute(db)
}
