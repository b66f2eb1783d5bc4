import { deletePictureFetch, planPictureFetch } from '#db/catalog/picture-fetches.ts'
import { isRemotePicture } from '#domain/catalog/product-pictures.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { fetchPicture } from '../files/fetch-picture.ts'
import { reserveFetchId } from '../files/upload-ticket.ts'
import { requireUser } from '../require-user.ts'

/** Our copy of a product's picture; without a path, pages show the illustration. */
export type ImageCopy = { path: string | null; problem: string | null; isRefused: boolean }

const retryMs = 60_000

/**
 * Copies a picture of another site, before the transaction that saves the product: pages show
 * pictures of our own origin only. Null for a path of ours. A picture that can't be copied does not
 * stop the save (contract, "Products and stock").
 */
export async function copyImage(ctx: Context, image: string): Promise<ImageCopy | null> {
  if (!isRemotePicture(image)) return null
  const { id: actorId } = requireUser(ctx)
  const fetched = await fetchPicture(ctx, image, { actorId, reserveId: () => reserveFetchId(ctx) })
  if (fetched.outcome === 'stored') return { path: fetched.path, problem: null, isRefused: false }
  return { path: null, problem: fetched.reason, isRefused: fetched.outcome === 'refused' }
}

/**
 * Plans another attempt when there is no copy yet, in the transaction that saves the product. A
 * refused picture is noted as given up.
 */
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
    dueAt: copy?.isRefused ? null : new Date(ctx.now.getTime() + retryMs),
    problem: copy?.problem ?? null,
  })
}
