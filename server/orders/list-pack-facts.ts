import { listPackageFacts } from '#db/orders/package-facts.ts'
import { primaryIdentifier } from '#domain/catalog/primary-identifier.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { PackFacts } from '#domain/orders/packages.ts'
import type { Context } from '../context.ts'

/**
 * What is printed on the packages of these lines, by variant. The catalog decides: an order keeps
 * neither. A line whose medicine is hidden names no variant, so nothing is found for it.
 */
export async function listPackFacts(
  ctx: Pick<Context, 'db'>,
  lines: readonly Pick<OrderLine, 'productVariantId'>[],
): Promise<ReadonlyMap<string, PackFacts>> {
  const ids = new Set(lines.map(({ productVariantId }) => productVariantId).filter(Boolean))
  const rows = await listPackageFacts(ctx.db, [...ids])
  return new Map(
    rows.map(({ id, labeler, ...codes }) => [id, { labeler, identifier: primaryIdentifier(codes) }]),
  )
}
