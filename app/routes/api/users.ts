import { requirePermission } from '#server/require-user.ts'
import { listUsers } from '#server/accounts/list-users.ts'
import {
  apiLoader,
  nextLink,
  methodNotAllowed,
  privateReply,
  privateStream,
  readPaging,
} from '../../http/api.server.ts'
import { userSummaries } from '../../http/user-reply.server.ts'

/** All users: names, email addresses and roles. Full profiles are read one at a time. */
export const loader = apiLoader(async (ctx, { url }) => {
  // Checked before the parameters, so that others learn nothing about them.
  requirePermission(ctx, 'customers.export')
  const paging = readPaging(url)
  const users = userSummaries(await listUsers(ctx, paging))
  if (paging.limit === null) return privateStream(url, users)
  const page = []
  for await (const user of users) page.push(user)
  return privateReply(page, 200, nextLink(url, page, paging.limit))
})

export const action = methodNotAllowed('GET')
