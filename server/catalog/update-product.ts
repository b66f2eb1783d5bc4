import { lockProducts, renameGenerics, updateProductRow } from '#db/catalog/catalog-edit.ts'
import { findProductRow } from '#db/catalog/product-rows.ts'
import { lockIngredientNames } from '#db/screening/care-lists.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import type { Product } from '#domain/catalog/catalog.ts'
import { describeMadeOtc } from '#domain/catalog/edit-questions.ts'
import { isRemotePicture } from '#domain/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import type { ProductChanges } from '#domain/catalog/product-fields.ts'
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

type Edit = { id: string; version: number; confirmed: boolean }

/**
 * Updates a product for /api. Fields left out stay unchanged. A request for another category needs
 * no confirmation: the contract documents it as one call. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND.
 */
export async function updateProduct(ctx: Context, id: string, changes: ProductChanges): Promise<Product> {
  requirePermission(ctx, 'catalog.write')
  const copy = await copyNewImage(ctx, id, changes)
  return inTransaction(ctx, (ctx) => saveChanges(ctx, id, { changes, copy, edit: null }))
}

/**
 * Updates a product in the back office's grid. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND,
 * StaleEditError when the product has changed since `version`, and CONFIRMATION_REQUIRED when a
 * prescription product becomes over-the-counter.
 */
export async function updateAdminProduct(
  ctx: Context,
  { id, version, confirmed, ...changes }: ProductChanges & Edit,
): Promise<ProductRow> {
  requirePermission(ctx, 'catalog.write')
  const copy = await copyNewImage(ctx, id, changes)
  return inTransaction(ctx, async (ctx) => {
    await saveChanges(ctx, id, { changes, copy, edit: { version, confirmed } })
    const row = await findProductRow(ctx.db, id)
    if (!row) throw new AppError('NOT_FOUND', 'Product not found')
    return row
  })
}

/** Copies the picture of a change that names another site, if the product shows another one now. */
async function copyNewImage(ctx: Context, id: string, { image }: ProductChanges): Promise<ImageCopy | null> {
  if (image === undefined || !isRemotePicture(image)) return null
  const before = await getProduct(ctx, id, { variants: false })
  return image === before.image ? null : copyImage(ctx, image)
}

async function saveChanges(
  ctx: Context,
  id: string,
  {
    changes: { image, ...changes },
    copy,
    edit,
  }: { changes: ProductChanges; copy: ImageCopy | null; edit: Omit<Edit, 'id'> | null },
): Promise<Product> {
  const before = await getProduct(ctx, id, { variants: false })
  const { name } = changes
  // Before any product is locked: an import of care lists locks the names and then products.
  if (name !== undefined) await lockIngredientNames(ctx.db, 'read')
  // Before the product is locked, because sales lock variants first.
  if (name !== undefined) await renameGenerics(ctx.db, { productId: id, to: name, now: ctx.now })
  const [locked] = await lockProducts(ctx.db, [id])
  const row = locked && (await findProductRow(ctx.db, id))
  if (!locked || !row) throw new AppError('NOT_FOUND', 'Product not found')
  if (edit && edit.version !== row.version) {
    throw new StaleEditError('Someone else changed this product after you opened it.', row)
  }
  const { category = row.category } = changes
  if (edit?.confirmed === false && row.category === 'Rx' && category === 'OTC') {
    throw new AppError('CONFIRMATION_REQUIRED', describeMadeOtc({ ...row, catalogKey: locked.catalogKey }))
  }
  // The form sends back the illustration's URL. Storing it would detach the picture from the
  // variants.
  const isNewImage = image !== undefined && image !== before.image
  if (!isNewImage && Object.values(changes).every((value) => value === undefined)) return before
  await updateProductRow(ctx.db, {
    id,
    now: ctx.now,
    ...changes,
    ...(isNewImage && { image, imageCopy: copy?.path ?? null }),
    ...(name !== undefined && { sortName: fold(name) }),
    // A directory's product keeps the schedule of its ingredients, whatever its name.
    ...(name !== undefined && locked.catalogKey === null && { controlledSchedule: scheduleOfName(name) }),
  })
  if (isNewImage) await planImageFetch(ctx, { productId: id, url: image, copy })
  await refreshCatalog(ctx, [id])
  if (name !== undefined) await refreshProductIngredients(ctx.db, [id])
  await recordProductChange(ctx, {
    productId: id,
    before: productFields(row),
    after: productFields({
      name: name ?? row.name,
      category,
      description: changes.description === undefined ? row.description : changes.description,
      image: isNewImage ? image : row.image,
    }),
  })
  const audit = { subjectId: shopSubjectId, objectId: id }
  await recordAudit(ctx, { action: 'product.updated', ...audit })
  if (category !== row.category)
    await recordAudit(ctx, {
      action: category === 'OTC' ? 'product.made-otc' : 'product.made-rx',
      ...audit,
    })
  return getProduct(ctx, id, { variants: false })
}
