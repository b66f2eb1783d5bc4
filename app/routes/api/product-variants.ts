import { allVariants, listFingerprint, listVariantsPage } from '#server/catalog/list-products.ts'
import { apiLoader, jsonReply, nextLink, onlyMethods, readPaging, streamReply } from '../../lib/api.server.ts'

export const loader = apiLoader(async (ctx, { request, url }) => {
  const { limit, after } = readPaging(url)
  if (limit === null)
    return streamReply(request, await listFingerprint(ctx), await allVariants(ctx, { after }))
  const variants = await listVariantsPage(ctx, { after, limit })
  return jsonReply(request, variants, nextLink(url, variants, limit))
})

export const action = onlyMethods('GET')
