import { requireVariant } from '#server/catalog/update-variant.ts'
import { listVariantTransactions } from '#server/inventory/list-transactions.ts'
import { apiLoader, nextLink, methodNotAllowed, privateReply, readPaging } from '../../http/api.server.ts'

const defaultLimit = 50

export const loader = apiLoader(async (ctx, { params, url }) => {
  const variantId = params['variantId'] ?? ''
  // A missing variant is reported before an invalid limit (contract, "/api", "Responses").
  await requireVariant(ctx, variantId, 'stock.read')
  const { limit, after } = readPaging(url)
  const page = { after, limit: limit ?? defaultLimit }
  const rows = await listVariantTransactions(ctx, variantId, page)
  return privateReply(rows, 200, nextLink(url, rows, page.limit))
})

export const action = methodNotAllowed('GET')
