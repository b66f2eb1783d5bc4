import { refusedLines } from '#server/catalog/csv/get-import.ts'
import { adminLoader } from '../../../../http/admin-loader.server.ts'
import { csvReply } from '../../../../http/csv-reply.server.ts'
import type { Route } from './+types/export-rejected'

/** What was refused of an imported file, to be mended and brought again. */
export const loader = adminLoader(async (ctx, { params }: Route.LoaderArgs) =>
  csvReply(ctx, 'refused-lines', refusedLines(ctx, params.id)),
)
