import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { exportAccount } from '#server/privacy/export-account.ts'
import { toAppError } from '#server/errors.ts'
import { redirect } from 'react-router'
import { cacheControl } from '../../http/cache.server.ts'
import { plainError } from '../../http/plain-error.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import type { Route } from './+types/download-account'

/** The page with the form. */
const page = paths.account.activity

/**
 * Redirects to the form. A link must not start the download: other sites or prefetching could.
 */
export const loader = () => redirect(page)

export const action = async (args: Route.ActionArgs) => {
  requireSignedIn(args, page)
  const { ctx } = args.context.get(requestContext)
  try {
    if (args.request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED')
    return new Response(await exportAccount(ctx), {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="meridian-${utcDay(ctx.now)}.zip"`,
        'Cache-Control': cacheControl('private'),
      },
    })
  } catch (error) {
    // This route has no page that could show the error.
    const appError = toAppError(error)
    if (appError.code === 'INTERNAL') throw error
    return plainError(appError)
  }
}
