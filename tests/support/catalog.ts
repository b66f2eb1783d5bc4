import type { Db } from '#db/engine/client.ts'
import type { Schema } from '#db/schema/schema.ts'
import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import type { Insertable } from 'kysely'

/** The creation time of test rows. */
export const testDay = new Date('2026-01-05T12:00:00Z')

/** Some seconds after `testDay`. */
export const secondsLater = (seconds: number): Date => new Date(testDay.getTime() + seconds * 1000)

/** Inserts a product, by default an over-the-counter ibuprofen. Returns its id. */
export async function addProduct(
  db: Db,
  overrides: Partial<Insertable<Schema['products']>> = {},
): Promise<string> {
  const id = overrides.id ?? newId()
  const name = overrides.name ?? 'Ibuprofen'
  await db
    .insertInto('products')
    .values({
      id,
      name,
      sortName: fold(name),
      category: 'OTC',
      createdAt: testDay,
      updatedAt: testDay,
      ...overrides,
    })
    .execute()
  return id
}

/**
 * Inserts a variant, by default with 100 in stock at $5.00. Creates a product unless `productId` is
 * given. Returns its id.
 */
export async function addVariant(
  db: Db,
  overrides: Partial<Insertable<Schema['productVariants']>> = {},
): Promise<string> {
  const id = overrides.id ?? newId()
  await db
    .insertInto('productVariants')
    .values({
      id,
      productId: overrides.productId ?? (await addProduct(db)),
      genericName: 'Ibuprofen',
      dosageForm: 'tablet',
      strength: '200',
      strengthUnit: 'mg',
      packageSize: 24,
      packageUnit: 'tablet',
      priceCents: 500,
      stockQuantity: 100,
      inStock: true,
      createdAt: testDay,
      updatedAt: testDay,
      ...overrides,
    })
    .execute()
  return id
}
