import { insertProduct, pharmacyExists } from '#db/catalog/catalog-edit.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import type { Product } from '#domain/catalog/catalog.ts'
import { isRemotePicture } from '#domain/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import type { NewProduct } from '#domain/catalog/product-fields.ts'
import { fold } from '#domain/text.ts'
import { requirePermission } from '../require-user.ts'
import { refreshProductIngredients } from '../screening/refresh-product-ingredients.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { scheduleOfName } from './directory/schedules.ts'
import { copyImage, planImageFetch, type ImageCopy } from './product-image.ts'
import { getProduct } from './get-product.ts'
import { productFields, recordProductChange } from './record-catalog-change.ts'
import { refreshCatalog } from './refresh-catalog.ts'

/** Creates a product without variants. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (pharmacyId). */
export async function createProduct(ctx: Context, input: NewProduct): Promise<Product> {
  requirePermission(ctx, 'catalog.write')
  return saveNewProduct(ctx, input, await copyImage(ctx, input.image))
}

/**
 * The same when the picture of another site has been copied.
 * @param copy from `copyImage`
 */
export async function saveNewProduct(
  ctx: Context,
  input: NewProduct,
  copy: ImageCopy | null,
  id: string = newId(ctx.now.getTime()),
): Promise<Product> {
  requirePermission(ctx, 'catalog.write')
  return inTransaction(ctx, async (ctx) => {
    const { pharmacyId } = input
    if (pharmacyId !== null && !(isId(pharmacyId) && (await pharmacyExists(ctx.db, pharmacyId)))) {
      throw new AppError('INVALID', undefined, { fields: { pharmacyId: 'This pharmacy doesn’t exist.' } })
    }
    await insertProduct(ctx.db, {
      id,
      ...input,
      imageCopy: copy?.path ?? null,
      sortName: fold(input.name),
      controlledSchedule: scheduleOfName(input.name),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    if (isRemotePicture(input.image)) await planImageFetch(ctx, { productId: id, url: input.image, copy })
    await refreshCatalog(ctx, [id])
    await refreshProductIngredients(ctx.db, [id])
    await recordProductChange(ctx, { productId: id, before: null, after: productFields(input) })
    await recordAudit(ctx, { action: 'product.created', subjectId: shopSubjectId, objectId: id })
    return getProduct(ctx, id, { variants: false })
  })
}
