import { parseCents } from '#domain/money.ts'
import type { AdminOrderDetails, AdminOrderLine } from '#domain/orders/admin-orders.ts'
import { useState } from 'react'

/** What was typed as the units to refund, and whether they return to stock. */
export type TypedRefund = { typed: string; restock: boolean }

/** An order's line in the refund form, with its units or null if they are invalid. */
export type LineRefund = TypedRefund & { line: AdminOrderLine; units: number | null }

/** The units of a line that are not refunded yet. */
export const refundableQuantity = ({ quantity, refunded }: AdminOrderLine): number => quantity - refunded

/** The typed units: 0 for an empty field, null for anything but a whole number of what is left. */
function parseUnits(typed: string, line: AdminOrderLine): number | null {
  const digits = typed.trim()
  // Number also reads "1e1" and "0x2".
  const units = /^\d{0,3}$/.test(digits) ? Number(digits) : null
  return units !== null && units <= refundableQuantity(line) ? units : null
}

/**
 * The state of the refund form: what was typed for each line, and the amount in cents. What is left
 * to refund is read for each render, because another admin may refund some of it.
 */
export function useRefundLines({ items, status }: AdminOrderDetails) {
  const isShipped = status === 'shipped' || status === 'delivered'
  const [typedRefunds, setTypedRefunds] = useState<Readonly<Record<string, TypedRefund>>>(() =>
    Object.fromEntries(items.map((line) => [line.id, { typed: '0', restock: !isShipped && line.isTracked }])),
  )
  const change = (line: AdminOrderLine, to: Partial<TypedRefund>) =>
    setTypedRefunds((previous) => ({
      ...previous,
      [line.id]: { typed: '0', restock: false, ...previous[line.id], ...to },
    }))
  const lines = items.map((line): LineRefund => {
    const { typed = '0', restock = false } = typedRefunds[line.id] ?? {}
    return { line, typed, restock, units: refundableQuantity(line) > 0 ? parseUnits(typed, line) : 0 }
  })
  const selectedLines = lines.flatMap(({ line, units, restock }) =>
    units ? [{ line, quantity: units, restock }] : [],
  )
  return {
    lines,
    change,
    isValid: lines.every(({ units }) => units !== null),
    selectedLines,
    cents: selectedLines.reduce(
      (sum, { line, quantity }) => sum + (parseCents(line.price) ?? 0) * quantity,
      0,
    ),
  }
}
