import { endSession } from '#server/accounts/end-session.ts'
import { redirect } from 'react-router'
import { apiLoader, methodNotAllowed } from '../../http/api.server.ts'
import { cacheControl } from '../../http/cache.server.ts'
import { clearSessionHeader } from '../../http/cookies.server.ts'

const leave = (status: 302 | 303) =>
  apiLoader(async (ctx, { env, request }) => {
    const headers = new Headers({ 'Cache-Control': cacheControl('private') })
    // Links and images on other sites must not end a session, and neither must a prefetch.
    // Cross-site posts never reach this route (app/http/middleware/same-origin.ts).
    const site = request.headers.get('sec-fetch-site') ?? 'none'
    const isMeant = site === 'same-origin' || site === 'none'
    if (isMeant && !request.headers.get('sec-purpose')?.startsWith('prefetch')) {
      await endSession(ctx)
      headers.append('Set-Cookie', await clearSessionHeader(env))
    }
    return redirect('/', { status, headers })
  })

/** The documented sign-out link (specification, section 2). */
export const loader = leave(302)

const byForm = leave(303)
const refuse = methodNotAllowed('GET', 'POST')

/** The menu's Log out form. */
export const action = (args: Parameters<typeof byForm>[0]) =>
  args.request.method === 'POST' ? byForm(args) : refuse()
