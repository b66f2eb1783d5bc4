import { openPrescriptionFile } from '#server/prescriptions/open-prescription-file.ts'
import { apiLoader, onlyMethods } from '../../lib/api.server.ts'
import { fileReply } from '../../lib/file-reply.server.ts'

export const loader = apiLoader(async (ctx, { request, params }) =>
  fileReply(request, await openPrescriptionFile(ctx, params['id'] ?? ''), 'prescription'),
)

export const action = onlyMethods('GET')
