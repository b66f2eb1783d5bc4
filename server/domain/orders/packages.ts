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

/** A line to pack. */
export type PackedLine = Pick<OrderLine, 'id' | 'product' | 'variant'> & {
  quantity: number
  /** The lots to pack, first what comes first; the rest of the units is in no lot. */
  lots: LotUnits[]
  /** What goes with it: "Label", "Leaflet", "Medication Guide". */
  enclosures: string[]
  /** Why it must not be packed; null when it may. */
  problem: string | null
}

export type PackingSlip = ShippingLabel & { placedAt: string; lines: PackedLine[] }
