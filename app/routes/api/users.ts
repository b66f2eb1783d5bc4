import { requireAdmin } from '#server/require-user.ts'
import { listUsers } from '#server/accounts/list-users.ts'
import {
  apiLoader,
  nextLink,
  onlyMethods,
  privateReply,
  privateStream,
  readPaging,
} from '../../http/api.server.ts'
import { userSummaries } from '../../http/user-reply.server.ts'

/** Who has an account: names, addresses and roles. The rest of a user is read one by one. */
export const loader = apiLoader(async (ctx, { url }) => {
  // Before what is asked for is judged: nobody else learns what is right about it.
  requireAdmin(ctx)
  const paging = readPaging(url)
  const users = userSummaries(await listUsers(ctx, paging))
  if (paging.limit === null) return privateStream(users)
  const page = []
  for await (const user of users) page.push(user)
  return privateReply(page, 200, nextLink(url, page, paging.limit))
})

export const action = onlyMethods('GET')
