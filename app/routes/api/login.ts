import { paths } from '#domain/paths.ts'
import { redirect } from 'react-router'
import { apiLoader, methodNotAllowed } from '../../http/api.server.ts'
import { redirectToProvider } from '../../http/authenticator.server.ts'
import { cacheControl } from '../../http/cache.server.ts'
import { signInTarget } from '../../http/sign-in-reply.server.ts'

/**
 * Every Sign In link: redirects to the identity provider or the sign-in page, and then to
 * `returnTo`.
 */
export const loader = apiLoader(async (ctx, { env, request, url }) => {
  const returnTo = signInTarget(url.searchParams.get('returnTo'))
  if (env.oidc) return redirectToProvider({ ctx, env }, request, returnTo)
  const query = returnTo === '/' ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  return redirect(`${paths.login}${query}`, { headers: { 'Cache-Control': cacheControl('private') } })
})

export const action = methodNotAllowed('GET')
