import type { Generated } from 'kysely'

/** What pharmacists recorded for the label of a line of an order. */
export type LabelChoicesTable = {
  lineId: string
  orderId: string
  /** `LabelChoices` as JSON, sealed under the shop's key. */
  sealedChoices: string
  version: Generated<number>
  /** The pharmacist of the last edit. */
  updatedBy: string
  updatedAt: Date
}
