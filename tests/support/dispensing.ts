import type { Db } from '#db/engine/client.ts'
import { insertFills, moveFills } from '#db/dispensing/fills.ts'
import { insertItem } from '#db/dispensing/items.ts'
import { listLineReviews, updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { ItemContent } from '#domain/dispensing/prescription-item.ts'
import { toMedicine } from '#domain/dispensing/medicine.ts'
import { newId } from '#domain/ids.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { sealFill, sealItem } from '#server/dispensing/sealed-item.ts'
import { testDay } from './catalog.ts'
import { testContext } from './context.ts'
import { dateBefore } from './dates.ts'
import { capture } from './payment-holds.ts'

/** The medicine of a variant in the test catalog. */
export async function medicineOf(db: Db, variantId: string) {
  const row = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .selectAll('productVariants')
    .select(['products.name', 'products.ingredients', 'products.route'])
    .where('productVariants.id', '=', variantId)
    .executeTakeFirstOrThrow()
  return toMedicine({ product: row, variant: row })
}

/**
 * Inserts an item for a variant's medicine on an approved prescription: by default 48 units for 30
 * days with 2 refills, written three days before `now`. Returns its id.
 */
export async function addItem(
  db: Db,
  {
    userId,
    prescriptionId,
    variantId,
    now = testDay,
    ...overrides
  }: { userId: string; prescriptionId: string; variantId: string; now?: Date } & Partial<ItemContent>,
): Promise<string> {
  const ctx = testContext(db)
  const key = await openUserKey(ctx, userId)
  if (!key) throw new Error('The user has no key.')
  const id = newId()
  await insertItem(db, {
    id,
    prescriptionId,
    userId,
    status: 'active',
    sealedItem: sealItem(key, id, {
      patientId: userId,
      medicine: await medicineOf(db, variantId),
      dispenseAsWritten: null,
      unitsPerFill: 48,
      daysSupply: 30,
      directions: 'Take 1 tablet by mouth daily',
      refills: 2,
      writtenOn: dateBefore(now, 3),
      validUntil: null,
      prescriberName: 'Dr. Ada Quillfeather',
      closedReason: null,
      agreements: [],
      ...overrides,
    }),
    transcribedBy: 'a pharmacist',
    createdAt: now,
    updatedAt: now,
  })
  await db.updateTable('prescriptions').set({ status: 'approved' }).where('id', '=', prescriptionId).execute()
  return id
}

/**
 * Clears an order's lines by its rows alone, for tests of what follows a clearance, and captures
 * its payment. The prescription of each line gets an item and a cleared fill.
 */
export async function markCleared(
  db: Db,
  orderId: string,
  now: Date = testDay,
  { captures = true }: { captures?: boolean } = {},
): Promise<void> {
  const { userId } = await db
    .selectFrom('orders')
    .select('userId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const key = userId && (await openUserKey(testContext(db), userId))
  if (!key) throw new Error('The order has no customer.')
  for (const { lineId, prescriptionId, version, ...review } of await listLineReviews(db, [orderId])) {
    if (prescriptionId === null) throw new Error('The line has no prescription.')
    const variantId = await db.selectFrom('productVariants').select('id').executeTakeFirstOrThrow()
    const itemId =
      review.itemId ?? (await addItem(db, { userId, prescriptionId, variantId: variantId.id, now }))
    const fillId = review.fillId ?? newId()
    if (review.fillId === null) {
      await insertFills(db, [
        {
          id: fillId,
          itemId,
          checkoutId: null,
          orderId,
          lineId,
          status: 'reserved',
          sealedFill: sealFill(key, fillId, { units: 24, daysSupply: 15, ingredientSet: 'ibuprofen' }),
          pharmacistId: null,
          createdAt: now,
          clearedAt: null,
          dispensedAt: null,
          releasedAt: null,
        },
      ])
    }
    await updateLineReview(db, {
      lineId,
      version,
      status: 'cleared',
      itemId,
      fillId,
      decidedBy: 'a pharmacist',
      decidedAt: now,
    })
  }
  await moveFills(db, { orderId, from: ['reserved'], to: 'cleared', now, pharmacistId: 'a pharmacist' })
  if (captures) await capture(db, orderId)
}
