import { AppError } from '#domain/errors.ts'
import { Strategy } from 'remix-auth/strategy'
import type { Identity, IdentityProvider, SignInChecks } from './identity-provider.ts'

type Options = {
  provider: IdentityProvider
  /** The shop's callback URL, as registered at the provider. */
  callback: string
  /**
   * Reads the browser's secrets; null when it did not start a sign-in or the sign-in has expired.
   */
  readChecks: (request: Request) => Promise<SignInChecks | null>
  /** Returns a Set-Cookie header that stores the secrets in the browser. */
  saveChecks: (checks: SignInChecks) => Promise<string>
}

/**
 * The remix-auth strategy for an identity provider, which must be a class. It redirects any request
 * but the callback to the provider by throwing a Response, and verifies the callback.
 */
export class OpenIdStrategy<User> extends Strategy<User, Identity> {
  name = 'openid'
  readonly #options: Options

  constructor(options: Options, verify: Strategy.VerifyFunction<User, Identity>) {
    super(verify)
    this.#options = options
  }

  async authenticate(request: Request): Promise<User> {
    const { provider, callback, readChecks, saveChecks } = this.#options
    const callbackUrl = new URL(callback)
    const { pathname, search } = new URL(request.url)
    if (pathname !== callbackUrl.pathname) {
      const { url, checks } = await provider.startSignIn(callback)
      const headers = {
        Location: url,
        'Set-Cookie': await saveChecks(checks),
        'Cache-Control': 'private, no-store',
      }
      throw new Response(null, { status: 302, headers })
    }
    const checks = await readChecks(request)
    if (!checks) {
      throw new AppError('FORBIDDEN', 'This sign-in has expired or was started in another browser.')
    }
    callbackUrl.search = search
    return this.verify(await provider.finishSignIn(callbackUrl, checks))
  }
}
