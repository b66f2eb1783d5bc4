import { openRecordFile } from '#server/records/get-record.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { fileReply } from '../../../http/file-reply.server.ts'
import type { Route } from './+types/record-file'

export const loader = adminLoader('records.read', async (ctx, { request, params }: Route.LoaderArgs) =>
  fileReply(
    request,
    await openRecordFile(ctx, params.id, new URL(request.url).searchParams.get('prescription')),
    'prescription',
  ),
)
