import { findPicture } from '#db/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import { isNameOf, pictureIdOf, type PictureType } from '#domain/catalog/product-pictures.ts'
import type { Context } from '../context.ts'
import { begunStream } from './started-stream.ts'

export type OpenPicture = {
  contentType: PictureType
  byteSize: number
  sha256: string
  /** Opens it; what comes must be read or cancelled. */
  open: () => Promise<ReadableStream<Uint8Array>>
}

/**
 * A product's picture, which everybody may see.
 * @param name the end of its address: `{id}.jpg` or `{id}.png`
 * @throws AppError NOT_FOUND for any other
 */
export async function openPicture(ctx: Context, name: string): Promise<OpenPicture> {
  const id = pictureIdOf(name)
  const picture = id === null ? null : await findPicture(ctx.db, id)
  if (!picture || !isNameOf(name, picture)) throw new AppError('NOT_FOUND')
  const { contentType, byteSize, sha256, storageKey } = picture
  return {
    contentType,
    byteSize,
    sha256,
    async open() {
      const bytes = await ctx.storage.get(storageKey)
      if (!bytes) throw new Error(`The storage has no bytes of picture ${picture.id}.`)
      return begunStream(bytes)
    },
  }
}
