import { AppError } from '#domain/errors.ts'
import type { Configuration } from 'openid-client'
import type { Env } from '../../env.ts'
import { isLoopback } from '../../loopback.ts'
import type { Identity, IdentityProvider } from './identity-provider.ts'

type Settings = NonNullable<Env['oidc']>

const timeoutSeconds = 8
const retryAfterSeconds = 10

/** Loaded at the first sign-in to keep the start of the shop fast. */
const loadClient = () => import('openid-client')

/** The providers' metadata, fetched once per process. A failed fetch is repeated. */
const discovered = new WeakMap<Settings, Promise<Configuration>>()

async function discover(settings: Settings): Promise<Configuration> {
  const client = await loadClient()
  const issuer = new URL(settings.issuer)
  const basic = client.ClientSecretBasic(settings.clientSecret)
  const post = client.ClientSecretPost(settings.clientSecret)
  return client.discovery(
    issuer,
    settings.clientId,
    undefined,
    // OpenID Connect Discovery 1.0, section 3: the default is `client_secret_basic`.
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
    },
    {
      timeout: timeoutSeconds,
      execute: [
        // Without it, the library trusts TLS alone and leaves the signature of ID tokens unchecked.
        client.enableNonRepudiationChecks,
        // oxlint-disable-next-line typescript/no-deprecated -- Only for a provider on this machine.
        ...(isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : []),
      ],
    },
  )
}

function loadConfiguration(settings: Settings): Promise<Configuration> {
  const cached = discovered.get(settings)
  if (cached) return cached
  const pending = discover(settings).catch((error: unknown) => {
    discovered.delete(settings)
    // Whatever the provider answered, sign-in is impossible now.
    throw unavailable(error)
  })
  discovered.set(settings, pending)
  return pending
}

const unavailable = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', 'Sign-in is temporarily unavailable. Try again.', {
    retryAfter: retryAfterSeconds,
    cause,
  })

const forbidden = (message: string, cause: unknown): AppError => new AppError('FORBIDDEN', message, { cause })

/** Maps a failed answer to an error: UNAVAILABLE when the provider is down, otherwise FORBIDDEN. */
async function toAppError(error: unknown): Promise<AppError> {
  const client = await loadClient()
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return forbidden('You weren’t signed in. The sign-in was canceled or not allowed.', error)
  }
  const isUnavailable =
    (error instanceof TypeError && error.message === 'fetch failed') ||
    (error instanceof client.ClientError &&
      (error.code === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500)))
  if (isUnavailable) return unavailable(error)
  return forbidden('This sign-in has expired, was already used, or was started in another browser.', error)
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * OpenID Connect: the code flow with PKCE, state and nonce. The library checks the id token's
 * signature, issuer, audience, times and nonce.
 * https://openid.net/specs/openid-connect-core-1_0.html
 */
export const openIdProvider = (settings: Settings): IdentityProvider => ({
  startSignIn: async (callback) => {
    const client = await loadClient()
    const configuration = await loadConfiguration(settings)
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, checks }
  },

  finishSignIn: async (callbackUrl, checks) => {
    const client = await loadClient()
    const configuration = await loadConfiguration(settings)
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new TypeError('The response has no ID token.')
      // Many providers return the email address only at the user info endpoint.
      const userInfo =
        claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {}
      return toIdentity(claims.iss, claims.sub, { ...claims, ...userInfo })
    } catch (error) {
      throw await toAppError(error)
    }
  },
})

const toIdentity = (issuer: string, subject: string, claims: Record<string, unknown>): Identity => ({
  issuer,
  subject,
  email: textOrNull(claims['email']),
  isEmailVerified: claims['email_verified'] === true,
  firstName: textOrNull(claims['given_name']) ?? textOrNull(claims['name']),
  lastName: textOrNull(claims['family_name']),
})
