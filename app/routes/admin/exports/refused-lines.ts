import { refusedLines } from '#server/catalog/csv/view-import.ts'
import { adminLoader } from '../../../lib/admin-loader.server.ts'
import { csvReply } from '../../../lib/csv-reply.server.ts'
import type { Route } from './+types/refused-lines'

/** What was refused of an imported file, to be mended and brought again. */
export const loader = adminLoader(async (ctx, { params }: Route.LoaderArgs) =>
  csvReply(ctx, 'refused-lines', refusedLines(ctx, params.id)),
)
