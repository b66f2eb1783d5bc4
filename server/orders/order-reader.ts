import type { OrderRow } from '#db/orders/orders.ts'
import type { OrderContent } from '#domain/orders/orders.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openContent } from './sealed-order.ts'

type SealedRow = Pick<OrderRow, 'id' | 'sealedOrder'>

/**
 * An order's lines as placed, with those that were refused since, decrypted for other areas. Throws
 * when the row cannot be decrypted.
 */
export const readOrderLines = (keys: KeyRing, row: SealedRow): OrderContent['lines'] =>
  openContent(keys, row).lines

/** What an order stores itself. Throws when the row cannot be decrypted. */
export const readOrderContent = (keys: KeyRing, row: SealedRow): OrderContent => openContent(keys, row)
