import { findPicture } from '#db/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import { isPictureName, parsePictureId, type PictureType } from '#domain/catalog/product-pictures.ts'
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { startStream } from './start-stream.ts'

export type OpenedPicture = {
  contentType: PictureType
  byteSize: number
  sha256: string
  /** Opens the stream; read or cancel it. */
  open: () => Promise<Readable>
}

/**
 * A product's picture, which is public.
 * @param name the end of its URL: `{id}.jpg` or `{id}.png`
 * @throws AppError NOT_FOUND for any other name
 */
export async function openPicture(ctx: Context, name: string): Promise<OpenedPicture> {
  const id = parsePictureId(name)
  const picture = id === null ? null : await findPicture(ctx.db, id)
  if (!picture || !isPictureName(name, picture)) throw new AppError('NOT_FOUND')
  const { contentType, byteSize, sha256, storageKey } = picture
  return {
    contentType,
    byteSize,
    sha256,
    async open() {
      const bytes = await ctx.storage.get(storageKey)
      if (!bytes) throw new Error(`Storage has no bytes for picture ${picture.id}.`)
      return startStream(bytes)
    },
  }
}
