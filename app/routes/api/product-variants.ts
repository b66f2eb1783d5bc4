import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { toVariantReply } from '#server/catalog/admin-variant.ts'
import { createVariantByKey } from '#server/catalog/create-by-key.ts'
import { streamVariants, listFingerprint, listVariantsPage } from '#server/catalog/list-products.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import {
  apiLoader,
  jsonReply,
  nextLink,
  privateReply,
  readPaging,
  streamReply,
} from '../../http/api.server.ts'
import { readCreationKey } from '../../http/idempotency-key.server.ts'

export const loader = apiLoader(async (ctx, { request, url }) => {
  const { limit, after } = readPaging(url)
  if (limit === null)
    return streamReply(request, await listFingerprint(ctx), await streamVariants(ctx, { after }))
  const variants = await listVariantsPage(ctx, { after, limit })
  return jsonReply(request, variants, nextLink(url, variants, limit))
})

export const action = apiAction(
  {
    POST: withJson({
      for: 'catalog.write',
      schema: newVariantSchema,
      run: async (ctx, input, { request }) => {
        const row = await createVariantByKey(ctx, input, readCreationKey(request))
        return privateReply(toVariantReply(ctx, row), 201)
      },
    }),
  },
  ['GET'],
)
