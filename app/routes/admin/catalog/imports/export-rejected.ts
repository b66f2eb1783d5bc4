import { streamRejectedLines } from '#server/catalog/csv/get-import.ts'
import { adminLoader } from '../../../../http/admin-loader.server.ts'
import { csvReply } from '../../../../http/csv-reply.server.ts'
import type { Route } from './+types/export-rejected'

/** The rejected lines of an imported file as CSV, to correct and upload again. */
export const loader = adminLoader('catalog.write', async (ctx, { params }: Route.LoaderArgs) =>
  csvReply(ctx, 'refused-lines', streamRejectedLines(ctx, params.id)),
)
