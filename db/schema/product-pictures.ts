import type { PictureType } from '#domain/catalog/product-pictures.ts'

/** A product picture that an admin uploaded. Its bytes are stored without metadata. */
export type ProductPicturesTable = {
  /** The id of its upload ticket. */
  id: string
  storageKey: string
  contentType: PictureType
  byteSize: number
  /** The hash of the bytes in base64url, unique. */
  sha256: string
  actorId: string
  createdAt: Date
}
