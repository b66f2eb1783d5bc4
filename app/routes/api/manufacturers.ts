import { can } from '#domain/accounts/permissions.ts'
import { newManufacturerSchema } from '#domain/catalog/manufacturer-fields.ts'
import { listManufacturerDetails, listManufacturers } from '#server/catalog/resolve-manufacturer.ts'
import { createManufacturer } from '#server/catalog/save-manufacturer.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { apiLoader, jsonReply, privateReply } from '../../http/api.server.ts'
import { manufacturerReply } from '../../http/manufacturer-reply.server.ts'

/** Staff who manage the catalog get all fields, everyone else ids and names. */
export const loader = apiLoader(async (ctx, { request }) =>
  can(ctx.user, 'catalog.write')
    ? privateReply(await listManufacturerDetails(ctx))
    : jsonReply(request, await listManufacturers(ctx)),
)

export const action = apiAction(
  {
    POST: withJson({
      for: 'catalog.write',
      schema: newManufacturerSchema,
      run: async (ctx, input) => privateReply(manufacturerReply(await createManufacturer(ctx, input)), 201),
    }),
  },
  ['GET'],
)
