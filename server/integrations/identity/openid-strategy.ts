import { AppError } from '#domain/errors.ts'
import { Strategy } from 'remix-auth/strategy'
import type { Identity, IdentityProvider, SignInChecks } from './identity-provider.ts'

type Options = {
  provider: IdentityProvider
  /** The address of ours that the provider leads back to, as it is registered there. */
  callback: string
  /** What this browser was given when it set out; null when it set out from elsewhere or too long ago. */
  readChecks: (request: Request) => Promise<SignInChecks | null>
  /** Gives the browser what its answer is to be held against: a Set-Cookie line. */
  keepChecks: (checks: SignInChecks) => Promise<string>
}

/**
 * remix-auth's way to an identity provider, and so a class: any request but the callback's is led to the provider, by a Response
 * that is thrown; the callback's is held against what the browser set out with.
 */
export class OpenIdStrategy<User> extends Strategy<User, Identity> {
  name = 'openid'
  readonly #options: Options

  constructor(options: Options, verify: Strategy.VerifyFunction<User, Identity>) {
    super(verify)
    this.#options = options
  }

  async authenticate(request: Request): Promise<User> {
    const { provider, callback, readChecks, keepChecks } = this.#options
    const answered = new URL(callback)
    const { pathname, search } = new URL(request.url)
    if (pathname !== answered.pathname) {
      const { url, checks } = await provider.begin(callback)
      const headers = {
        Location: url,
        'Set-Cookie': await keepChecks(checks),
        'Cache-Control': 'private, no-store',
      }
      throw new Response(null, { status: 302, headers })
    }
    const checks = await readChecks(request)
    if (!checks) {
      throw new AppError('FORBIDDEN', 'This sign-in is too old, or was not begun in this browser.')
    }
    answered.search = search
    return this.verify(await provider.finish(answered, checks))
  }
}
