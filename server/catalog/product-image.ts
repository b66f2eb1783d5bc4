import { deletePictureFetch, planPictureFetch } from '#db/catalog/picture-fetches.ts'
import { isRemotePicture } from '#domain/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { fetchPicture } from '../files/fetch-picture.ts'
import { reserveFetchId } from '../files/upload-ticket.ts'
import { requireUser } from '../require-user.ts'

/** Our copy of a product's picture; null while another site cannot be reached. */
export type ImageCopy = { path: string | null; problem: string | null }

const retryMs = 60_000

/**
 * Copies a picture of another site, before the transaction that saves the product: pages show
 * pictures of our own origin only. Null for a path of ours. Throws INVALID (image) when the address
 * may not be fetched or is no picture that we accept.
 */
export async function copyImage(ctx: Context, image: string): Promise<ImageCopy | null> {
  if (!isRemotePicture(image)) return null
  const { id: actorId } = requireUser(ctx)
  const fetched = await fetchPicture(ctx, image, { actorId, reserveId: () => reserveFetchId(ctx) })
  if (fetched.outcome === 'stored') return { path: fetched.path, problem: null }
  if (fetched.outcome === 'unreachable') return { path: null, problem: fetched.reason }
  const message = `We can’t use this picture. ${fetched.reason}`
  throw new AppError('INVALID', message, { fields: { image: message } })
}

/** Plans another attempt when there is no copy yet, in the transaction that saves the product. */
export async function planImageFetch(
  ctx: Context,
  { productId, url, copy }: { productId: string; url: string; copy: ImageCopy | null },
): Promise<void> {
  if (!isRemotePicture(url) || copy?.path) return deletePictureFetch(ctx.db, productId)
  await planPictureFetch(ctx.db, {
    productId,
    url,
    pictureId: newId(ctx.now.getTime()),
    attempts: 1,
    dueAt: new Date(ctx.now.getTime() + retryMs),
    problem: copy?.problem ?? null,
  })
}
