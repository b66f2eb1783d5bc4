import type { OrderRow } from '#db/orders/orders.ts'
import type { OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
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

/**
 * The same for work on many orders, which one damaged row or lost key must not stop: a row that
 * cannot be decrypted is logged and null.
 */
export function tryReadOrderContent(
  { keys, log }: Pick<Context, 'keys' | 'log'>,
  row: SealedRow,
): OrderContent | null {
  try {
    return openContent(keys, row)
  } catch (error) {
    log.error({ err: error, orderId: row.id }, 'order could not be decrypted')
    return null
  }
}
