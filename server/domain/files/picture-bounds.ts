/** Why bytes are not accepted as a file. */
export type Refusal = 'unsupported' | 'too-many-pixels'

/**
 * Reads a file of one type as its bytes arrive, and returns the bytes to keep: of a picture, those
 * without its metadata.
 */
export type Walk = {
  push: (bytes: Uint8Array) => readonly Uint8Array[] | Refusal
  /** Whether the file was complete. */
  finish: () => boolean
}

/** A browser allocates four bytes for each pixel of a picture, however few bytes the file has. */
export type PixelLimit = { pixels: number; side: number }

/** More than a 64-megapixel phone or a page at 600 dots an inch needs. */
export const filePixelLimit: PixelLimit = { pixels: 70_000_000, side: 20_000 }

/** What a visitor’s phone can show as one of many product pictures. */
export const productPixelLimit: PixelLimit = { pixels: 25_000_000, side: 10_000 }

/** Null when a picture may have this size. A side of zero is no picture. */
export function checkPixels(width: number, height: number, limit: PixelLimit): Refusal | null {
  if (width === 0 || height === 0) return 'unsupported'
  const isTooLarge = width > limit.side || height > limit.side || width * height > limit.pixels
  return isTooLarge ? 'too-many-pixels' : null
}
