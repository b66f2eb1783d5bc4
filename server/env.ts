import { z } from 'zod'

/** How the shop runs: `dev` and `demo` have defaults for everything, `production` has not. */
export type Mode = 'dev' | 'demo' | 'production'

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host) || host.endsWith('.localhost')

const port = z.coerce.number().int().min(0).max(65_535)

const origin = z.url({ protocol: /^https?$/ }).transform((text, check) => {
  const url = new URL(text)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    check.addIssue({ code: 'custom', message: 'must be https unless the host is a loopback one' })
  }
  if (url.href !== `${url.origin}/`)
    check.addIssue({ code: 'custom', message: 'must be an origin, without a path' })
  return url.origin
})

const databaseUrl = z
  .string()
  .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must be sqlite:/path or postgres://…')

const common = {
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
}

const production = z.object({
  ...common,
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: databaseUrl,
  SUPPORT_EMAIL: z.email(),
  SUPPORT_PHONE: z.string().min(3),
})
const embedded = z.object({
  ...common,
  PUBLIC_ORIGIN: origin.optional(),
  DATABASE_URL: databaseUrl.default('sqlite:./data/meridian.sqlite'),
  SUPPORT_EMAIL: z.email().default('support@meridian.test'),
  SUPPORT_PHONE: z.string().min(3).default('+1 555 0100'),
  DEMO_CATALOG: z.enum(['demo', 'none']).default('demo'),
})

export type Env = {
  mode: Mode
  port: number
  host: string
  /** The origin that browsers see; every URL we build starts with it. */
  publicOrigin: string
  databaseUrl: string
  logLevel: z.infer<typeof common.LOG_LEVEL>
  webConcurrency: number
  /** Where a customer reaches a person; shown on pages, and the address that the contact form's mail goes to. */
  support: { email: string; phone: string }
  /** Whether the first start loads the demo catalogue. */
  demoCatalog: boolean
}

/** Reads the environment once. Throws an error whose message has one line a mistake. Empty values count as absent. */
export function readEnv(mode: Mode, source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = mode === 'production' ? production.safeParse(given) : embedded.safeParse(given)
  if (!result.success) {
    throw new Error(
      result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    )
  }
  const values = result.data
  return {
    mode,
    port: values.PORT,
    host: values.HOST,
    publicOrigin: values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`,
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    webConcurrency: values.WEB_CONCURRENCY,
    support: { email: values.SUPPORT_EMAIL, phone: values.SUPPORT_PHONE },
    demoCatalog: 'DEMO_CATALOG' in values && values.DEMO_CATALOG === 'demo',
  }
}

/** Whether a Host header names this machine itself; dev and demo answer every such name. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host.replace(/:\d+$/, ''))
