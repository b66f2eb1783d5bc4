import { maxRemotePictureBytes } from '#domain/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { storePicture, type PictureOrigin } from './receive-picture.ts'

/** `refused` is final; `unreachable` may work later. */
export type FetchedPicture =
  | { outcome: 'stored'; path: string }
  | { outcome: 'refused' | 'unreachable'; reason: string }

/** Contract, "Products and stock". */
const timeoutMs = 5000

/**
 * Fetches a picture of another site and stores a copy, which is checked like an upload. Throws
 * STORAGE_FULL.
 */
export async function fetchPicture(
  ctx: Context,
  url: string,
  origin: Omit<PictureOrigin, 'maxBytes'>,
): Promise<FetchedPicture> {
  const maxBytes = maxRemotePictureBytes
  const file = await ctx.publicFiles.fetch(url, { maxBytes, timeoutMs })
  if (file.outcome !== 'fetched') return file
  try {
    return { outcome: 'stored', path: await storePicture(ctx, oneChunk(file.bytes), { ...origin, maxBytes }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'UNSUPPORTED_TYPE' || error.code === 'INVALID' || error.code === 'TOO_LARGE') {
      return { outcome: 'refused', reason: error.message }
    }
    if (error.code === 'UNAVAILABLE') return { outcome: 'unreachable', reason: error.message }
    throw error
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
