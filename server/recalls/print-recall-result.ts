import type { RecallResult } from './apply-recalls.ts'

const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`

/** Sentences about what an import of recalls did; none without a new or changed recall. */
export const printRecallResult = (result: RecallResult): string[] =>
  result.recalls === 0
    ? []
    : [
        `${plural(result.recalls, 'new or changed recall')}, ${result.outsideCatalog.toLocaleString('en-US')} of them for packages outside the catalog.`,
        ...describeRecallEffects(result),
      ]

/** Sentences about what recalls did to stock, orders and customers; none without a recall. */
export function describeRecallEffects(result: RecallResult): string[] {
  const { recalls, lots, looseUnits, takenOffSale, openOrders, orders, customers, unreadableOrders } = result
  if (recalls === 0) return []
  return [
    `${plural(lots, 'lot')} put in quarantine, and ${plural(looseUnits, 'unit')} in no lot removed from stock.`,
    ...(takenOffSale > 0
      ? [`${plural(takenOffSale, 'package')} without stock tracking taken off sale.`]
      : []),
    `${plural(openOrders, 'open order')} can’t ship until staff act.`,
    `${plural(customers, 'customer')} ${customers === 1 ? 'was' : 'were'} emailed about ${plural(orders, 'shipped order')}.`,
    ...(unreadableOrders > 0
      ? [
          `${plural(unreadableOrders, 'shipped order')} couldn’t be decrypted, and ${unreadableOrders === 1 ? 'its customer was' : 'their customers were'} not emailed. The log has the order IDs.`,
        ]
      : []),
  ]
}
