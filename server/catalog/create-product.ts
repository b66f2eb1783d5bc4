import { insertProduct, pharmacyExists } from '#db/catalog/catalog-edit.ts'
import { shopItself } from '#domain/audit/audit.ts'
import type { Product } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import type { NewProduct } from '#domain/catalog/product-fields.ts'
import { fold } from '#domain/text.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { scheduleInName } from './directory/schedules.ts'
import { getProduct } from './list-products.ts'
import { productFields, recordCatalogChange } from './record-catalog-change.ts'
import { refreshCatalog } from './refresh-catalog.ts'

/** Adds a medicine, as yet without variants. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (pharmacyId). */
export async function createProduct(ctx: Context, input: NewProduct): Promise<Product> {
  requireAdmin(ctx)
  return inTransaction(ctx, (ctx) => addProduct(ctx, input))
}

/** The same within the caller's transaction. */
export async function addProduct(ctx: Context, input: NewProduct): Promise<Product> {
  const { pharmacyId } = input
  const id = newId(ctx.now.getTime())
  if (pharmacyId !== null && !(isId(pharmacyId) && (await pharmacyExists(ctx.db, pharmacyId)))) {
    throw new AppError('INVALID', undefined, { fields: { pharmacyId: 'There is no such pharmacy.' } })
  }
  await insertProduct(ctx.db, {
    id,
    ...input,
    sortName: fold(input.name),
    controlledSchedule: scheduleInName(input.name),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await refreshCatalog(ctx, [id])
  await recordCatalogChange(ctx, { productId: id, before: null, after: productFields(input) })
  await recordAudit(ctx, { action: 'product.created', subjectId: shopItself, objectId: id })
  return getProduct(ctx, id, { variants: false })
}
