import { orderRefPattern } from '../orders/order-ref.ts'

/** What a pharmacist reads on a label or an order and types to find its case. */
export type CaseNumber = {
  /** The number of "Rx 000123". */
  rx: number | null
  /** The end of an order's id, as people read it, or the whole id. In lower case. */
  order: string | null
}

const orderPattern = new RegExp(
  `^(?:order)?[\\s#…]*(${orderRefPattern}|[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})$`,
)
const maxInteger = 2 ** 31 - 1

/**
 * Reads "Rx 000123", "123", "#1a2b3c4d" or a whole id. Eight digits can be either; other text, such
 * as a name, is neither and gives null.
 */
export function parseCaseNumber(typed: string): CaseNumber | null {
  const text = typed.trim().toLowerCase()
  const [, prefix, digits] = /^(rx)?[\s#-]*(\d{1,10})$/.exec(text) ?? []
  const [, id] = orderPattern.exec(text) ?? []
  const rx = digits !== undefined && Number(digits) <= maxInteger ? Number(digits) : null
  const order = prefix === undefined && id !== undefined ? id : null
  return rx === null && order === null ? null : { rx, order }
}
