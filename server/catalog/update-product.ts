import { lockProducts, renameGenerics, updateProductRow } from '#db/catalog-edit.ts'
import { shopItself } from '#domain/audit.ts'
import type { Product } from '#domain/catalog.ts'
import { AppError } from '#domain/errors.ts'
import type { ProductChanges } from '#domain/product-fields.ts'
import { fold } from '#domain/text.ts'
import { requireAdmin } from '../accounts/require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { scheduleInName } from './directory/schedules.ts'
import { getProduct } from './list-products.ts'
import { refreshCatalog } from './refresh-catalog.ts'

/** Changes what is said of a medicine; what is left out stays. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function updateProduct(
  ctx: Context,
  id: string,
  { image, ...changes }: ProductChanges,
): Promise<Product> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => {
    const before = await getProduct(ctx, id, { variants: false })
    const { name } = changes
    // Before the product is ours, as whoever sells its variants takes those first.
    if (name !== undefined)
      await renameGenerics(ctx.db, { productId: id, from: before.name, to: name, now: ctx.now })
    const [locked] = await lockProducts(ctx.db, [id])
    if (!locked) throw new AppError('NOT_FOUND', 'Product not found')
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
    await recordAudit(ctx, { action: 'product.updated', subjectId: shopItself, objectId: id })
    return getProduct(ctx, id, { variants: false })
  })
}
