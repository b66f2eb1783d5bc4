import { requirePermission } from '#server/require-user.ts'
import { listTransactions } from '#server/inventory/list-transactions.ts'
import { apiLoader, nextLink, methodNotAllowed, privateReply, readPaging } from '../../http/api.server.ts'

const defaultLimit = 50

export const loader = apiLoader(async (ctx, { url }) => {
  // Checked before the parameters, so that others learn nothing about them.
  requirePermission(ctx, 'stock.read')
  const { limit, after } = readPaging(url)
  const page = { after, limit: limit ?? defaultLimit }
  const rows = await listTransactions(ctx, page)
  return privateReply(rows, 200, nextLink(url, rows, page.limit))
})

export const action = methodNotAllowed('GET')
