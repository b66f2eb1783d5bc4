import { endSession } from '#server/accounts/end-session.ts'
import { redirect } from 'react-router'
import { apiLoader, onlyMethods } from '../../http/api.server.ts'
import { cacheControl } from '../../http/cache.server.ts'
import { clearSessionHeader } from '../../http/cookies.server.ts'

const leave = (status: 302 | 303) =>
  apiLoader(async (ctx, { env, request }) => {
    const headers = new Headers({ 'Cache-Control': cacheControl(false) })
    // A link or a picture of another site ends nobody's session, and nothing that is fetched ahead does; a post of another
    // site never comes here (app/http/middleware/same-origin.ts).
    const site = request.headers.get('sec-fetch-site') ?? 'none'
    const isMeant = site === 'same-origin' || site === 'none'
    if (isMeant && !request.headers.get('sec-purpose')?.startsWith('prefetch')) {
      await endSession(ctx)
      headers.append('Set-Cookie', await clearSessionHeader(env))
    }
    return redirect('/', { status, headers })
  })

/** The documented way out (specification, section 2): the browser goes here. */
export const loader = leave(302)

const byForm = leave(303)
const refuse = onlyMethods('GET', 'POST')

/** The page's own Log out, a form. */
export const action = (args: Parameters<typeof byForm>[0]) =>
  args.request.method === 'POST' ? byForm(args) : refuse()
