import { AppError } from '#domain/errors.ts'
import { exportAccount } from '#server/accounts/export-account.ts'
import { cacheControl } from '../../lib/cache.server.ts'
import { asPageError } from '../../lib/page-loader.server.ts'
import { requestContext } from '../../lib/request-context.server.ts'
import type { Route } from './+types/download'

/** A form starts it, never a link: a page of another site cannot, and nothing does that is fetched ahead. */
export const loader = () => {
  throw asPageError(new AppError('METHOD_NOT_ALLOWED'))
}

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx } = context.get(requestContext)
  try {
    if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED')
    return new Response(await exportAccount(ctx), {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="meridian-${ctx.now.toISOString().slice(0, 10)}.zip"`,
        'Cache-Control': cacheControl(false),
      },
    })
  } catch (error) {
    throw asPageError(error)
  }
}
