import { serverPaths } from '#domain/server-paths.ts'
import { signInSchema } from '#domain/accounts/sign-in.ts'
import type { DeviceTokens } from '#server/accounts/known-device.ts'
import { signInWithIdentity } from '#server/accounts/sign-in-with-identity.ts'
import { signIn, type VerifiedUser } from '#server/accounts/sign-in.ts'
import { openIdProvider } from '#server/integrations/identity/openid-provider.ts'
import { OpenIdStrategy } from '#server/integrations/identity/openid-strategy.ts'
import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { pendingSignInHeader, readDeviceTokens, readPendingSignIn } from './cookies.server.ts'
import type { RequestContext } from './request-context.server.ts'

/**
 * Created for each request, because a strategy verifies with that request's context. There is one
 * strategy: the identity provider's when one is configured, otherwise the shop's own form
 * (docs/decisions/0013-sign-in.md).
 * @param options.returnTo where to redirect after a sign-in that starts here
 * @param options.devices the tokens of this browser
 */
function createAuthenticator(
  { ctx, env }: RequestContext,
  { returnTo = '/', devices = [] }: { returnTo?: string; devices?: DeviceTokens } = {},
): Authenticator<VerifiedUser> {
  const authenticator = new Authenticator<VerifiedUser>()
  if (!env.oidc) {
    const strategy = new FormStrategy(({ form }) =>
      signIn(ctx, signInSchema.parse(Object.fromEntries(form)), devices),
    )
    return authenticator.use(strategy)
  }
  return authenticator.use(
    new OpenIdStrategy(
      {
        provider: openIdProvider(env.oidc),
        callback: env.publicOrigin + serverPaths.loginCallback,
        readChecks: async (request) => (await readPendingSignIn(request, env, ctx))?.checks ?? null,
        saveChecks: (checks) => pendingSignInHeader({ checks, returnTo }, env, ctx),
      },
      (identity) => signInWithIdentity(ctx, identity),
    ),
  )
}

/**
 * Verifies the email and password of a form that was read within its bounds. Throws what `signIn`
 * throws.
 */
export async function authenticateForm(
  context: RequestContext,
  request: Request,
  form: FormData,
): Promise<VerifiedUser> {
  const devices = await readDeviceTokens(request, context.env)
  // The strategy reads a whole request of any length, so it gets one made from the bounded form.
  const bounded = new Request('http://form.invalid', { method: 'POST', body: form })
  return createAuthenticator(context, { devices }).authenticate('form', bounded)
}

/**
 * Redirects this browser to the identity provider. Throws UNAVAILABLE when the provider does not
 * answer.
 */
export async function redirectToProvider(
  context: RequestContext,
  request: Request,
  returnTo: string,
): Promise<Response> {
  try {
    await createAuthenticator(context, { returnTo }).authenticate('openid', request)
  } catch (error) {
    // remix-auth's strategies throw their redirect.
    if (error instanceof Response) return error
    throw error
  }
  throw new Error('The strategy did not redirect.')
}

/**
 * Verifies the identity provider's callback. Throws what `signInWithIdentity` throws, and
 * UNAVAILABLE.
 */
export const authenticateCallback = (context: RequestContext, request: Request): Promise<VerifiedUser> =>
  createAuthenticator(context).authenticate('openid', request)
