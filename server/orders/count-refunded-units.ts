import type { OrderRow } from '#db/orders/orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import type { Context } from '../context.ts'

/** By line, how many units were or are being refunded. Lines without any are left out. */
export type RefundedUnits = ReadonlyMap<string, number>

/** Of an order that was not charged, nothing is refunded: its units only returned to stock. */
export async function countRefundedUnits(
  ctx: Pick<Context, 'db'>,
  orders: readonly Pick<OrderRow, 'id' | 'capturedCents'>[],
): Promise<RefundedUnits> {
  const charged = orders.filter(({ capturedCents }) => capturedCents > 0)
  if (charged.length === 0) return new Map()
  const refunds = await listLineRefunds(
    ctx.db,
    charged.map(({ id }) => id),
  )
  return new Map(
    [...refunds].flatMap(([lineId, { refunded }]): [string, number][] =>
      refunded > 0 ? [[lineId, refunded]] : [],
    ),
  )
}
