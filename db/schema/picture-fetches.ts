import type { Generated } from 'kysely'

/** A picture of another site that a product has no copy of yet. */
export type PictureFetchesTable = {
  productId: string
  /** The product's `image`. */
  url: string
  /** The id of the copy, chosen before its bytes are stored, so that a retry overwrites them. */
  pictureId: string
  attempts: Generated<number>
  /** Null when it was given up. */
  dueAt: Date | null
  /** Why the last attempt failed. */
  problem: string | null
}
