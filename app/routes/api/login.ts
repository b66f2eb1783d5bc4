import { redirect } from 'react-router'
import { apiLoader, onlyMethods } from '../../lib/api.server.ts'
import { cacheControl } from '../../lib/cache.server.ts'
import { flashHeader } from '../../lib/cookies.server.ts'
import { requestContext } from '../../lib/request-context.server.ts'
import type { Route } from './+types/login'

/** Where every Sign In leads. There are no accounts yet, and whoever asks is told so in the shop. */
export const loader = (args: Route.LoaderArgs) =>
  apiLoader(async () => {
    const { env } = args.context.get(requestContext)
    const flash = await flashHeader(
      { kind: 'info', title: 'Sign-in is not open yet', text: 'You can search, read and fill a cart.' },
      env,
    )
    return redirect('/', { headers: { 'Set-Cookie': flash, 'Cache-Control': cacheControl(false) } })
  })(args)

export const action = onlyMethods('GET')
