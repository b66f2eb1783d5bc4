import { lockProducts, renameGenerics, updateProductRow } from '#db/catalog/catalog-edit.ts'
import { findProductRow } from '#db/catalog/product-rows.ts'
import { shopItself } from '#domain/audit/audit.ts'
import type { Product } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import type { ProductChanges } from '#domain/catalog/product-fields.ts'
import { fold } from '#domain/text.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { scheduleInName } from './directory/schedules.ts'
import { getProduct } from './list-products.ts'
import { productFields, recordCatalogChange } from './record-catalog-change.ts'
import { refreshCatalog } from './refresh-catalog.ts'

/**
 * Changes what is said of a medicine; what is left out stays. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT with the grid's
 * row as it is when it has changed since.
 * @param version of the row that was edited; left out by those that know none
 */
export async function updateProduct(
  ctx: Context,
  id: string,
  changes: ProductChanges,
  version?: number,
): Promise<Product> {
  requireAdmin(ctx)
  return inTransaction(ctx, (ctx) => changeProduct(ctx, id, changes, version))
}

/** The same within the caller's transaction. */
export async function changeProduct(
  ctx: Context,
  id: string,
  { image, ...changes }: ProductChanges,
  version?: number,
): Promise<Product> {
  const before = await getProduct(ctx, id, { variants: false })
  const { name } = changes
  // Before the product is ours, as whoever sells its variants takes those first.
  if (name !== undefined)
    await renameGenerics(ctx.db, { productId: id, from: before.name, to: name, now: ctx.now })
  const [locked] = await lockProducts(ctx.db, [id])
  const row = locked && (await findProductRow(ctx.db, id))
  if (!locked || !row) throw new AppError('NOT_FOUND', 'Product not found')
  if (version !== undefined && version !== row.version) {
    throw new AppError('CONFLICT', 'Somebody has changed this product meanwhile.', { current: row })
  }
  // The form sends back the drawing that it was given; kept as an address it would no longer follow the variants.
  const isNewImage = image !== undefined && image !== before.image
  if (!isNewImage && Object.values(changes).every((value) => value === undefined)) return before
  await updateProductRow(ctx.db, {
    id,
    now: ctx.now,
    ...changes,
    ...(isNewImage && { image }),
    ...(name !== undefined && { sortName: fold(name) }),
    // A directory's medicine keeps the schedule of its ingredients, whatever it is called.
    ...(name !== undefined && locked.catalogKey === null && { controlledSchedule: scheduleInName(name) }),
  })
  await refreshCatalog(ctx, [id])
  await recordCatalogChange(ctx, {
    productId: id,
    before: productFields(row),
    after: productFields({
      name: name ?? row.name,
      category: changes.category ?? row.category,
      description: changes.description === undefined ? row.description : changes.description,
      image: isNewImage ? image : row.image,
    }),
  })
  await recordAudit(ctx, { action: 'product.updated', subjectId: shopItself, objectId: id })
  return getProduct(ctx, id, { variants: false })
}
