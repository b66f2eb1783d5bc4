import { paths } from '#domain/paths.ts'
import { signInSchema } from '#domain/accounts/sign-in.ts'
import { signInWithIdentity } from '#server/accounts/sign-in-with-identity.ts'
import { signIn, type VerifiedUser } from '#server/accounts/sign-in.ts'
import { openIdProvider } from '#server/integrations/identity/openid-provider.ts'
import { OpenIdStrategy } from '#server/integrations/identity/openid-strategy.ts'
import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { begunSignInHeader, readBegunSignIn } from './cookies.server.ts'
import type { RequestContext } from './request-context.server.ts'

/**
 * Made for each request, because what a strategy verifies with is that request's context. There is one way in: the provider's
 * where one is set, else the shop's own (docs/decisions/0013-sign-in.md).
 * @param returnTo where signing in leads, when it sets out from here
 */
function authenticatorOf({ ctx, env }: RequestContext, returnTo = '/'): Authenticator<VerifiedUser> {
  const authenticator = new Authenticator<VerifiedUser>()
  if (!env.oidc) {
    const strategy = new FormStrategy(({ form }) => signIn(ctx, signInSchema.parse(Object.fromEntries(form))))
    return authenticator.use(strategy)
  }
  return authenticator.use(
    new OpenIdStrategy(
      {
        provider: openIdProvider(env.oidc),
        callback: env.publicOrigin + paths.loginCallback,
        readChecks: async (request) => (await readBegunSignIn(request, env, ctx))?.checks ?? null,
        saveChecks: (checks) => begunSignInHeader({ checks, returnTo }, env, ctx),
      },
      (identity) => signInWithIdentity(ctx, identity),
    ),
  )
}

/** Who signs in with the e-mail and password of a form that was read, bounded and checked. Throws what `signIn` throws. */
export const authenticateForm = (context: RequestContext, form: FormData): Promise<VerifiedUser> =>
  // The strategy reads a request whole, however long: it gets one made of what was read already.
  authenticatorOf(context).authenticate(
    'form',
    new Request('http://form.invalid', { method: 'POST', body: form }),
  )

/** Leads this browser to the identity provider. Throws UNAVAILABLE when that is away. */
export async function toProvider(
  context: RequestContext,
  request: Request,
  returnTo: string,
): Promise<Response> {
  try {
    await authenticatorOf(context, returnTo).authenticate('openid', request)
  } catch (error) {
    // remix-auth's strategies throw where they lead.
    if (error instanceof Response) return error
    throw error
  }
  throw new Error('A strategy that led nowhere.')
}

/** Who comes back from the identity provider with this request. Throws what `signInWithIdentity` throws, and UNAVAILABLE. */
export const authenticateCallback = (context: RequestContext, request: Request): Promise<VerifiedUser> =>
  authenticatorOf(context).authenticate('openid', request)
