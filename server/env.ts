import { readPostgresEndpoint } from '#db/engine/postgres-endpoint.ts'
import type { z } from 'zod'
import type { KeyRing } from './crypto/key-ring.ts'
import { EnvError } from './env-error.ts'
import { databaseUrl, describeIssue, embedded, production } from './env-values.ts'
import type { ClamdAddress } from './integrations/malware/malware-scanner.ts'
import type { S3Address, S3Credentials } from './integrations/storage/s3-address.ts'
import { isUploadThingToken } from './integrations/storage/uploadthing-token.ts'
import { isLoopback, isLoopbackOrigin } from './loopback.ts'

/** How the shop runs. `dev` and `demo` have a default for everything; `production` does not. */
export type Mode = 'dev' | 'demo' | 'production'

/**
 * The name of the machine where a database runs; null for a file, a Unix socket or a loopback
 * address.
 */
export function findRemoteHost(url: string): string | null {
  if (url.startsWith('sqlite:')) return null
  const { host, isSocket } = readPostgresEndpoint(url)
  return isSocket || isLoopback(host) || host === '::1' ? null : host
}

export type PaymentsEnv =
  | { kind: 'demo' }
  | {
      kind: 'stripe'
      secretKey: string
      /** Null when absent; the page then says that payments are unavailable. */
      publishableKey: string | null
      webhookSecret: string
      /** A mock of Stripe's API, for tests. */
      apiUrl: string | null
    }

export type Env = {
  mode: Mode
  port: number
  host: string
  /** The origin that browsers see. Every URL we build starts with it. */
  publicOrigin: string
  databaseUrl: string
  /** A streaming replica of it, for reads that tolerate lag; null without one. */
  databaseReplicaUrl: string | null
  logLevel: z.infer<typeof production>['LOG_LEVEL']
  webConcurrency: number
  /** The support contact shown on pages. Contact-form messages go to this address. */
  support: { email: string; phone: string }
  mail: {
    /** Null in dev and demo: email stays in the outbox. */
    smtpUrl: string | null
    from: string
  }
  /** Null in dev and demo, which use local secrets (server/crypto/local-secrets.ts). */
  encryptionKeys: KeyRing | null
  /** Null in dev and demo, as above. */
  sessionSecret: string | null
  /** Where sealed files are stored. */
  storage:
    | { kind: 'local'; path: string }
    | { kind: 'uploadthing'; token: string }
    | ({ kind: 's3'; credentials: S3Credentials } & S3Address)
  /** The malware scanner; null when files are not scanned. */
  clamd: ClamdAddress | null
  /** The payment provider. */
  payments: PaymentsEnv
  /** How long a checkout reserves its stock, in seconds. */
  holdSeconds: number
  /** How often the reconciler looks for payments without a webhook, in seconds. */
  reconcileSeconds: number
  /** How long dispensing records outlive their account, in years. */
  recordRetentionYears: number
  /** The identity provider; null when the shop has its own accounts. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null
  /** Whether admins need a second factor to open the back office. */
  requireAdminMfa: boolean
  /** Where heads of the audit chain are saved besides the log; null when nowhere. */
  auditHeads: { kind: 'file'; path: string } | { kind: 'https'; url: string } | null
  /** What `/metrics` asks for; null when it answers this machine only. */
  metricsToken: string | null
  /** Where traces are sent, and which share of them; null when the shop does not trace. */
  tracing: { endpoint: string; serviceName: string; ratio: number } | null
  /** The number of trusted proxies that append to `X-Forwarded-For`. */
  trustedProxyHops: number
  /** Open connections of one process. */
  maxConnections: number
  /** The event loop's delay from which on requests are refused; 0 refuses none. */
  overloadDelayMs: number
  /** How long `/readyz` refuses before a stopping process refuses connections. */
  drainMs: number
  rateLimits: boolean
  /** Whether code that relies on internals of libraries is used (server/domain/fast-paths.ts). */
  fastPaths: boolean
  /** The memory for kept pages and replies of the API; 0 keeps none. */
  pageCacheMb: number
  /** Whether the first start loads the demo catalog. */
  demoCatalog: boolean
  /** Whether the first start gives the demo a past. */
  demoHistory: boolean
}

/**
 * Reads the environment once. Empty and blank values count as absent. Throws EnvError with one line
 * per mistake.
 */
export function readEnv(mode: Mode, source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ''))
  const result = (mode === 'production' ? production : embedded).safeParse(given, { error: describeIssue })
  const mistakes = result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  if (mode === 'production' && given['RATE_LIMITS'] === 'off' && !isLoopbackOrigin(given['PUBLIC_ORIGIN'])) {
    mistakes.push('RATE_LIMITS: can be off only when PUBLIC_ORIGIN is a loopback host')
  }
  if (given['STORAGE'] === 'uploadthing') mistakes.push(...uploadThingMistakes(given['UPLOADTHING_TOKEN']))
  if (given['STORAGE']?.startsWith('s3:')) {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
      if (given[name] === undefined) mistakes.push(`${name}: is required with STORAGE=s3://…`)
    }
  }
  const oidcNames = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  const { OIDC_ISSUER: issuer = '' } = given
  if (issuer.startsWith('http:') && !isLoopbackOrigin(issuer)) {
    mistakes.push('OIDC_ISSUER: must be https unless the host is a loopback host')
  }
  const missing = oidcNames.filter((name) => given[name] === undefined)
  if (missing.length > 0 && missing.length < oidcNames.length) {
    mistakes.push(...missing.map((name) => `${name}: is required with the other two OIDC_ values`))
  }
  mistakes.push(...stripeMistakes(mode, given), ...databaseMistakes(mode, given))
  if (!result.success || mistakes.length > 0) throw new EnvError(mistakes.join('\n'))
  const values = result.data
  return {
    mode,
    port: values.PORT,
    host: values.HOST,
    publicOrigin: values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`,
    databaseUrl: values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    logLevel: values.LOG_LEVEL,
    webConcurrency: values.WEB_CONCURRENCY,
    support: { email: values.SUPPORT_EMAIL, phone: values.SUPPORT_PHONE },
    mail: { smtpUrl: values.SMTP_URL ?? null, from: values.MAIL_FROM },
    encryptionKeys: values.ENCRYPTION_KEYS ?? null,
    sessionSecret: values.SESSION_SECRET ?? null,
    storage: readStorage(values),
    clamd: values.CLAMD_SOCKET ?? null,
    payments:
      values.PAYMENTS === 'stripe' && values.STRIPE_SECRET_KEY && values.STRIPE_WEBHOOK_SECRET
        ? {
            kind: 'stripe',
            secretKey: values.STRIPE_SECRET_KEY,
            publishableKey: values.STRIPE_PUBLISHABLE_KEY ?? null,
            webhookSecret: values.STRIPE_WEBHOOK_SECRET,
            apiUrl: values.STRIPE_API_URL ?? null,
          }
        : { kind: 'demo' },
    holdSeconds: values.CHECKOUT_HOLD_SECONDS,
    reconcileSeconds: values.RECONCILE_SECONDS,
    recordRetentionYears: values.RECORD_RETENTION_YEARS,
    oidc:
      values.OIDC_ISSUER && values.OIDC_CLIENT_ID && values.OIDC_CLIENT_SECRET
        ? {
            issuer: values.OIDC_ISSUER,
            clientId: values.OIDC_CLIENT_ID,
            clientSecret: values.OIDC_CLIENT_SECRET,
          }
        : null,
    requireAdminMfa: values.REQUIRE_ADMIN_MFA === 'on',
    auditHeads: readAuditHeads(values.AUDIT_HEADS),
    metricsToken: values.METRICS_TOKEN ?? null,
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: values.OTEL_SERVICE_NAME,
          ratio: values.OTEL_TRACES_SAMPLER_ARG,
        }
      : null,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    maxConnections: values.MAX_CONNECTIONS,
    overloadDelayMs: values.OVERLOAD_DELAY_MS,
    drainMs: values.DRAIN_MS,
    rateLimits: values.RATE_LIMITS === 'on',
    fastPaths: values.FAST_PATHS === 'on',
    pageCacheMb: values.PAGE_CACHE_MB,
    demoCatalog: 'DEMO_CATALOG' in values && values.DEMO_CATALOG === 'demo',
    demoHistory: 'DEMO_HISTORY' in values && values.DEMO_HISTORY === 'demo',
  }
}

/** The storage with its credentials, which are never in its address. */
function readStorage(values: z.infer<typeof production> | z.infer<typeof embedded>): Env['storage'] {
  const address = values.STORAGE
  if (address.kind === 'uploadthing') return { ...address, token: values.UPLOADTHING_TOKEN ?? '' }
  if (address.kind === 'local') return address
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_SESSION_TOKEN: sessionToken,
  } = values
  return {
    ...address,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
  }
}

function uploadThingMistakes(token: string | undefined): string[] {
  if (token === undefined) return ['UPLOADTHING_TOKEN: is required with STORAGE=uploadthing']
  if (isUploadThingToken(token)) return []
  const what = 'the token from UploadThing’s dashboard: base64 of JSON with apiKey, appId and regions'
  return [`UPLOADTHING_TOKEN: must be ${what}`]
}

function readAuditHeads(text: string | undefined): Env['auditHeads'] {
  if (text === undefined) return null
  return text.startsWith('file:')
    ? { kind: 'file', path: text.slice('file:'.length) }
    : { kind: 'https', url: text }
}

/**
 * Mistakes in Stripe's values. Outside production, the publishable key can be absent, to show what
 * happens then.
 */
function stripeMistakes(mode: Mode, given: Record<string, string | undefined>): string[] {
  if (mode !== 'production' && given['PAYMENTS'] !== 'stripe') return []
  const {
    STRIPE_SECRET_KEY: secretKey = '',
    STRIPE_PUBLISHABLE_KEY: publishableKey = '',
    STRIPE_API_URL: apiUrl,
  } = given
  const needed = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']
  if (mode === 'production') needed.push('STRIPE_PUBLISHABLE_KEY')
  const mistakes = needed
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: is required with PAYMENTS=stripe`)
  if (apiUrl !== undefined && /^(sk|rk)_live_/.test(secretKey)) {
    mistakes.push('STRIPE_API_URL: can’t be set with a live key')
  }
  if (/^(sk|rk|whsec)_/.test(publishableKey)) {
    mistakes.push('STRIPE_PUBLISHABLE_KEY: is a secret key, and browsers would receive it')
  }
  if (secretKey.includes('_live_') !== publishableKey.includes('_live_') && publishableKey !== '') {
    mistakes.push('STRIPE_PUBLISHABLE_KEY: must be for the same mode (test or live) as STRIPE_SECRET_KEY')
  }
  return mistakes
}

/**
 * A real shop's Postgres on another machine needs TLS: queries and answers hold addresses, names
 * of tables and keyed hashes. Commands that run in a shop's environment do not know its mode.
 */
function databaseMistakes(mode: Mode, given: Record<string, string | undefined>): string[] {
  const { DATABASE_URL: primary, DATABASE_REPLICA_URL: replica, PUBLIC_ORIGIN: publicOrigin = '' } = given
  const mistakes =
    replica !== undefined && !primary?.startsWith('postgres')
      ? ['DATABASE_REPLICA_URL: needs DATABASE_URL=postgres://…']
      : []
  if (mode !== 'production' && !publicOrigin.startsWith('https:')) return mistakes
  for (const [name, url] of Object.entries({ DATABASE_URL: primary, DATABASE_REPLICA_URL: replica })) {
    if (!databaseUrl.safeParse(url).success || url === undefined) continue
    try {
      if (findRemoteHost(url) === null || readPostgresEndpoint(url).isVerified) continue
      mistakes.push(`${name}: needs sslmode=verify-full, because the database is on another machine`)
    } catch (error) {
      // The driver's message names a file or a parameter, and never the password.
      mistakes.push(`${name}: can’t be read: ${error instanceof Error ? error.message : ''}`)
    }
  }
  return mistakes
}
