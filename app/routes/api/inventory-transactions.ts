import { requireAdmin } from '#server/require-user.ts'
import { listTransactions } from '#server/inventory/list-transactions.ts'
import { apiLoader, nextLink, onlyMethods, privateReply, readPaging } from '../../http/api.server.ts'

const defaultLimit = 50

export const loader = apiLoader(async (ctx, { url }) => {
  // Before what is asked for is judged: nobody else learns what is right about it.
  requireAdmin(ctx)
  const { limit, after } = readPaging(url)
  const page = { after, limit: limit ?? defaultLimit }
  const rows = await listTransactions(ctx, page)
  return privateReply(rows, 200, nextLink(url, rows, page.limit))
})

export const action = onlyMethods('GET')
