import type Provider from 'oidc-provider'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'
import { productionEnv } from './production-env.ts'

/** A person's claims at the provider. */
export type Person = {
  sub: string
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
}

export type TestProvider = {
  /** The environment of a shop that uses this provider. */
  env: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string }
  /**
   * Follows the browser's redirects from this URL, signing in as the person. Returns the path of
   * the callback with its query.
   */
  signIn: (url: string, person: Person) => Promise<string>
  close: () => Promise<void>
}

const callback = `${productionEnv.PUBLIC_ORIGIN}/login/callback`

/**
 * Creates the provider without its warnings about the Node version and about storage in memory.
 * Neither concerns the shop.
 */
async function createProvider(...settings: ConstructorParameters<typeof Provider>): Promise<Provider> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  try {
    const { Provider } = await import('oidc-provider')
    return new Provider(...settings)
  } finally {
    warn.mockRestore()
  }
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * Starts a real OpenID provider on a free local port. It signs in any person without a password.
 * @param publishedKey by default, the key that signs the ID tokens
 */
export async function startOidcProvider({
  publishedKey,
}: { publishedKey?: 'another' } = {}): Promise<TestProvider> {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const people = new Map<string, Person>()
  let signingInSub = ''
  const { privateKey } = newKey()
  const otherKey = publishedKey && newKey().publicKey.export({ format: 'jwk' })
  const client = { id: 'meridian', secret: randomBytes(24).toString('base64url') }
  const provider: Provider = await createProvider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    loadExistingGrant: async (ctx) => {
      const { session, client: requestingClient } = ctx.oidc
      if (!session?.accountId || !requestingClient) return undefined
      const grant = new provider.Grant({ accountId: session.accountId, clientId: requestingClient.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  })
  const handle = provider.callback()
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      void provider.interactionFinished(request, response, { login: { accountId: signingInSub } })
    } else if (otherKey && request.url === '/jwks') {
      const keys = [{ ...otherKey, use: 'sig', alg: 'RS256', kid: 'test' }]
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }))
    } else void handle(request, response)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))

  const signIn = async (url: string, person: Person): Promise<string> => {
    people.set(person.sub, person)
    signingInSub = person.sub
    const cookies = new Map<string, string>()
    let next = url
    while (!next.startsWith(callback)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(next, { headers: { cookie }, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (!location)
        throw new Error(`The provider did not redirect: ${response.status} ${await response.text()}`)
      next = new URL(location, next).href
    }
    return next.slice(productionEnv.PUBLIC_ORIGIN.length)
  }
  return {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    signIn,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
