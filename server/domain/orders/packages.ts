import type { LotUnits } from '../inventory/lots.ts'
import type { OrderLine } from './orders.ts'

/** What strangers read on a package. It names no medicine and no pharmacy. */
export type ShippingLabel = {
  orderId: string
  /** The return address, one line each. Empty when the shop has none. */
  fromLines: string[]
  /** The recipient and the address, one line each. */
  toLines: string[]
  carrier: string | null
  trackingNumber: string | null
}

/** What tells a package apart from another of the same medicine. */
export type PackFacts = {
  labeler: string | null
  /** "NDC 0143-1473-01". */
  identifier: string | null
}

/** "Blu Pharmaceuticals, NDC 24658-212-30"; empty when the catalog has neither. */
export const packFactsText = (facts: PackFacts | null | undefined): string =>
  [facts?.labeler, facts?.identifier].filter(Boolean).join(', ')

/** A line to pack. */
export type PackedLine = Pick<OrderLine, 'id' | 'product' | 'variant'> & {
  quantity: number
  /** Null for a hidden medicine. */
  pack: PackFacts | null
  /** The lots to pack, first what comes first; the rest of the units is in no lot. */
  lots: LotUnits[]
  /** What goes with it: "Label", "Leaflet", "Medication Guide". */
  enclosures: string[]
  /** Why it must not be packed; null when it may. */
  problem: string | null
  /** What to check before it is packed. */
  warning: string | null
}

export type PackingSlip = ShippingLabel & { placedAt: string; lines: PackedLine[] }
