import { AppError } from '#domain/errors.ts'
import type { Configuration } from 'openid-client'
import type { Env } from '../../env.ts'
import { isLoopback } from '../../env.ts'
import type { Identity, IdentityProvider } from './identity-provider.ts'

type Settings = NonNullable<Env['oidc']>

const timeoutSeconds = 8
const retryAfterSeconds = 10

/** Loaded at the first sign-in, for the start of the shop does not need it. */
const load = () => import('openid-client')

/** What the providers say of themselves, asked once a process; asked anew while it could not be had. */
const discovered = new WeakMap<Settings, Promise<Configuration>>()

async function discover(settings: Settings): Promise<Configuration> {
  const client = await load()
  const issuer = new URL(settings.issuer)
  const basic = client.ClientSecretBasic(settings.clientSecret)
  const post = client.ClientSecretPost(settings.clientSecret)
  return client.discovery(
    issuer,
    settings.clientId,
    undefined,
    // OpenID Connect Discovery 1.0, section 3: without a list it is `client_secret_basic`.
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
    },
    {
      timeout: timeoutSeconds,
      // oxlint-disable-next-line typescript/no-deprecated -- Marked so to stand out; for a provider on this machine alone.
      ...(isLoopback(issuer.hostname) && { execute: [client.allowInsecureRequests] }),
    },
  )
}

function configurationOf(settings: Settings): Promise<Configuration> {
  const kept = discovered.get(settings)
  if (kept) return kept
  const asked = discover(settings).catch((error: unknown) => {
    discovered.delete(settings)
    // Whatever it answered instead, nobody can sign in now.
    throw away(error)
  })
  discovered.set(settings, asked)
  return asked
}

const away = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', 'Sign-in is unavailable for a moment. Please try again.', {
    retryAfter: retryAfterSeconds,
    cause,
  })

const refused = (sentence: string, cause: unknown): AppError => new AppError('FORBIDDEN', sentence, { cause })

/** What a failed answer means. Whatever is not the provider's being away is an answer that we do not take. */
async function translate(error: unknown): Promise<AppError> {
  const client = await load()
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return refused('You were not signed in: the sign-in was cancelled or not allowed.', error)
  }
  const isAway =
    (error instanceof TypeError && error.message === 'fetch failed') ||
    (error instanceof client.ClientError &&
      (error.code === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500)))
  if (isAway) return away(error)
  return refused('This sign-in was used already, is too old, or was not begun in this browser.', error)
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * OpenID Connect by the code flow with PKCE, state and nonce; the library checks the id token's signature, issuer, audience,
 * times and nonce. https://openid.net/specs/openid-connect-core-1_0.html
 */
export const openIdProvider = (settings: Settings): IdentityProvider => ({
  begin: async (callback) => {
    const client = await load()
    const configuration = await configurationOf(settings)
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

  finish: async (answered, checks) => {
    const client = await load()
    const configuration = await configurationOf(settings)
    try {
      const tokens = await client.authorizationCodeGrant(configuration, answered, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new TypeError('An answer without an id token.')
      // Many providers tell more of a person at the user info endpoint than in the token.
      const more =
        claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {}
      return identityOf(claims.iss, claims.sub, { ...claims, ...more })
    } catch (error) {
      throw await translate(error)
    }
  },
})

const identityOf = (issuer: string, subject: string, claims: Record<string, unknown>): Identity => ({
  issuer,
  subject,
  email: textOf(claims['email']),
  isEmailVerified: claims['email_verified'] === true,
  firstName: textOf(claims['given_name']) ?? textOf(claims['name']),
  lastName: textOf(claims['family_name']),
})
