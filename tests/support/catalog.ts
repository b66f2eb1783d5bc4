import type { Db } from '#db/engine/client.ts'
import type { Schema } from '#db/schema/schema.ts'
import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import type { Insertable } from 'kysely'

/** The moment at which test rows were made. */
export const testDay = new Date('2026-01-05T12:00:00Z')

/** Inserts a medicine; what is not said is an over-the-counter ibuprofen. Returns its id. */
export async function addProduct(
  db: Db,
  said: Partial<Insertable<Schema['products']>> = {},
): Promise<string> {
  const id = said.id ?? newId()
  const name = said.name ?? 'Ibuprofen'
  await db
    .insertInto('products')
    .values({
      id,
      name,
      sortName: fold(name),
      category: 'OTC',
      createdAt: testDay,
      updatedAt: testDay,
      ...said,
    })
    .execute()
  return id
}

/** Inserts a variant that can be bought: 100 in stock at $5.00. Makes its product when none is named. */
export async function addVariant(
  db: Db,
  said: Partial<Insertable<Schema['productVariants']>> = {},
): Promise<string> {
  const id = said.id ?? newId()
  await db
    .insertInto('productVariants')
    .values({
      id,
      productId: said.productId ?? (await addProduct(db)),
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
      ...said,
    })
    .execute()
  return id
}
