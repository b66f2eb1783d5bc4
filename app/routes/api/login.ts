import { paths } from '#domain/paths.ts'
import { redirect } from 'react-router'
import { apiLoader, onlyMethods } from '../../http/api.server.ts'
import { toProvider } from '../../http/authenticator.server.ts'
import { cacheControl } from '../../http/cache.server.ts'
import { signInTarget } from '../../http/sign-in-reply.server.ts'

/** Where every Sign In leads: to the identity provider where one is set, else to the page; and from there on to `returnTo`. */
export const loader = apiLoader(async (ctx, { env, request, url }) => {
  const returnTo = signInTarget(url.searchParams.get('returnTo'))
  if (env.oidc) return toProvider({ ctx, env }, request, returnTo)
  const query = returnTo === '/' ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  return redirect(`${paths.login}${query}`, { headers: { 'Cache-Control': cacheControl(false) } })
})

export const action = onlyMethods('GET')
