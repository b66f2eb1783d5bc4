import type { PictureType } from '#domain/catalog/product-pictures.ts'

/** A picture of a product that an admin uploaded; its bytes lie in the storage as they came. */
export type ProductPicturesTable = {
  /** Its upload ticket's. */
  id: string
  storageKey: string
  contentType: PictureType
  byteSize: number
  /** Of the bytes, base64url; unique. */
  sha256: string
  actorId: string
  createdAt: Date
}
