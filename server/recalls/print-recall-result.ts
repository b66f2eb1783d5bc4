import type { RecallResult } from './apply-recalls.ts'

const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`

/** What new recalls did, as sentences. None without a new recall. */
export function printRecallResult(result: RecallResult): string[] {
  const { recalls, outsideCatalog, lots, looseUnits, openOrders, orders, customers } = result
  if (recalls === 0) return []
  return [
    `${plural(recalls, 'new or changed recall')}, ${outsideCatalog.toLocaleString('en-US')} of no package in the catalog.`,
    `${plural(lots, 'lot')} went into quarantine, and ${plural(looseUnits, 'unit')} in no lot left the stock.`,
    `${plural(openOrders, 'open order')} can’t ship until someone has acted.`,
    `${plural(customers, 'customer')} ${customers === 1 ? 'was' : 'were'} emailed about ${plural(orders, 'shipped order')}.`,
  ]
}
