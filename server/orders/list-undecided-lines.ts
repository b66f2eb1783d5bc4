import { keptLines, type OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import type { CustomerOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'

/** The prescription lines of an order that no pharmacist has cleared or refused. */
export const listUndecidedLines = async (
  ctx: Pick<Context, 'db' | 'keys'>,
  row: CustomerOrder,
): Promise<OrderLine[]> =>
  keptLines(openContent(ctx.keys, row)).filter(({ product }) => product.category === 'Rx')
