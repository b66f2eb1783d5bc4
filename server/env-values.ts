import { z } from 'zod'
import { parseKeyRing, type KeyRing } from './crypto/key-ring.ts'
import type { ClamdAddress } from './integrations/malware/malware-scanner.ts'
import { parseS3Address, type S3Address } from './integrations/storage/s3-address.ts'
import { isLoopback } from './loopback.ts'

/**
 * What is wrong with a value, for the person who set it. Zod's own messages name the types of
 * JavaScript.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? `must have at least ${issue.minimum} characters`
      : `must be at least ${issue.minimum}`
  }
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' ? 'must be a whole number' : 'must be a number'
  if (issue.code !== 'invalid_format') return undefined
  return issue.format === 'email' ? 'must be an email address' : 'must be a URL such as https://host.example'
}

const port = z.coerce.number().int().min(0).max(65_535)

const origin = z.url({ protocol: /^https?$/ }).transform((text, check) => {
  const url = new URL(text)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    check.addIssue({ code: 'custom', message: 'must be https unless the host is a loopback host' })
  }
  if (url.href !== `${url.origin}/`)
    check.addIssue({ code: 'custom', message: 'must be an origin, without a path' })
  return url.origin
})

export const databaseUrl = z
  .string()
  .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must be sqlite:/path or postgres://…')

const smtpUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return /^smtps?:$/.test(protocol) && hostname !== ''
}, 'must be smtp://… or smtps://…')

/** `address` or `Name <address>`, without characters that could start another header. */
const sender = z.string().refine((text) => {
  const address = /^[^<>"\p{Cc}]{0,100}<([^<>]+)>$/u.exec(text)?.[1] ?? text
  return z.email().safeParse(address).success
}, 'must be an address or Name <address>')

const encryptionKeys = z.string().transform((text, check): KeyRing => {
  try {
    return parseKeyRing(text)
  } catch (error) {
    check.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' })
    return z.NEVER
  }
})

const sessionSecret = z.string().min(32, 'must have at least 32 characters')

type StorageAddress = { kind: 'local'; path: string } | { kind: 'uploadthing' } | ({ kind: 's3' } & S3Address)

const storage = z.string().transform((text, check): StorageAddress => {
  if (/^local:./.test(text)) return { kind: 'local', path: text.slice('local:'.length) }
  if (text === 'uploadthing') return { kind: 'uploadthing' }
  const fail = (message: string): never => {
    check.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (!text.startsWith('s3://') || !URL.canParse(text)) {
    return fail('must be local:/path, s3://bucket or uploadthing')
  }
  try {
    const address = parseS3Address(text)
    const { protocol, hostname } = new URL(address.endpoint ?? 'https://amazonaws.com')
    if (protocol === 'http:' && !isLoopback(hostname)) {
      return fail('needs an endpoint with https unless its host is a loopback host')
    }
    return { kind: 's3', ...address }
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'cannot be read')
  }
})

/** A local file, or an https address (http on a loopback host, for tests). */
const auditHeads = z.string().refine((text) => {
  if (/^file:\/./.test(text)) return true
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSafe && username === '' && password === ''
}, 'must be file:/path or https://…, without a user and password')
const onOff = z.enum(['on', 'off'])

const clamd = z.string().transform((text, check): ClamdAddress => {
  if (text.startsWith('/')) return { path: text }
  const [, host, digits] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (host !== undefined && port >= 1 && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port }
  check.addIssue({ code: 'custom', message: 'must be host:port or the path of a Unix socket' })
  return z.NEVER
})

const common = {
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/.+$/, 'must be postgres://…')
    .optional(),
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(16).default(0),
  MAX_CONNECTIONS: z.coerce.number().int().min(10).max(100_000).default(2000),
  DRAIN_MS: z.coerce.number().int().min(0).max(3000).default(0),
  OVERLOAD_DELAY_MS: z.coerce.number().int().min(0).max(10_000).default(250),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('meridian'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
  RATE_LIMITS: onOff.default('on'),
  FAST_PATHS: onOff.default('on'),
  PAGE_CACHE_MB: z.coerce.number().int().min(0).max(4096).default(32),
  AUDIT_HEADS: auditHeads.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{32,}$/, 'must have at least 32 characters without spaces')
    .optional(),
  UPLOADTHING_TOKEN: z.string().min(1).optional(),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
  CLAMD_SOCKET: clamd.optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?!pk_)./, 'must be a secret key, not a publishable one')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^(?![prs]k_)./, 'must be the signing secret of the webhook, not an API key')
    .optional(),
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  // Stripe's hosted page expires after a day at most, and must outlive the hold by half an hour.
  CHECKOUT_HOLD_SECONDS: z.coerce.number().int().min(1).max(82_800).default(900),
  RECONCILE_SECONDS: z.coerce.number().int().min(1).max(600).default(30),
  RECORD_RETENTION_YEARS: z.coerce.number().int().min(1).max(100).default(10),
}

/** The variables of a production shop, with their bounds. */
export const production = z.object({
  ...common,
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: databaseUrl,
  SUPPORT_EMAIL: z.email(),
  SUPPORT_PHONE: z.string().min(3),
  SMTP_URL: smtpUrl,
  MAIL_FROM: sender,
  ENCRYPTION_KEYS: encryptionKeys,
  SESSION_SECRET: sessionSecret,
  STORAGE: storage,
  // Demo payments move no money. A production shop would ship orders for free.
  PAYMENTS: z.enum(['stripe'], 'must be stripe'),
  REQUIRE_ADMIN_MFA: onOff.default('on'),
})
/** The variables of dev and demo, where everything has a default. */
export const embedded = z.object({
  ...common,
  PUBLIC_ORIGIN: origin.optional(),
  DATABASE_URL: databaseUrl.default('sqlite:./data/meridian.sqlite'),
  SUPPORT_EMAIL: z.email().default('support@meridian.test'),
  SUPPORT_PHONE: z.string().min(3).default('+1 555 0100'),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.default('Meridian <no-reply@meridian.test>'),
  ENCRYPTION_KEYS: encryptionKeys.optional(),
  SESSION_SECRET: sessionSecret.optional(),
  STORAGE: storage.prefault('local:./data/files'),
  PAYMENTS: z.enum(['demo', 'stripe']).default('demo'),
  REQUIRE_ADMIN_MFA: onOff.default('off'),
  DEMO_CATALOG: z.enum(['demo', 'none']).default('demo'),
  DEMO_HISTORY: z.enum(['demo', 'none']).default('demo'),
})
