import type { AdminOrderLine } from '#domain/orders/admin-orders.ts'

/**
 * The medicine of a line of an order. Staff who may not see it tell prescription lines apart by
 * their number on the order.
 */
export function lineName(line: AdminOrderLine, items: readonly Pick<AdminOrderLine, 'id'>[]): string {
  const { name, id } = line.product
  return id === '' ? `${name}, line ${items.findIndex((item) => item.id === line.id) + 1}` : name
}

/** The same with the brand, if any: "Ibuprofen (Advil)". */
export function fullLineName(line: AdminOrderLine, items: readonly Pick<AdminOrderLine, 'id'>[]): string {
  const { brandName } = line.variant
  return brandName ? `${lineName(line, items)} (${brandName})` : lineName(line, items)
}
