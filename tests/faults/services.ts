import { startS3 } from '#tests/mocks/s3.ts'
import { startSmtpServer, type ReceivedMail } from '#tests/support/smtp-server.ts'
import { startTcpProxy, type ProxyMode, type TcpProxy } from '#tests/support/tcp-proxy.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from './site.ts'
import { openStripe, type StripeProvider } from './stripe-provider.ts'

/** The services outside of a shop's process. */
export type ServiceName = 'stripe' | 'mail' | 'storage' | 'database'

/** How long each packet takes while a service is slow. Some calls to Stripe then end in time. */
const slowMs: Record<ServiceName, number> = { stripe: 2500, mail: 1000, storage: 500, database: 20 }

export type Services = {
  provider: StripeProvider
  received: readonly ReceivedMail[]
  /** The environment of a shop that uses them, each by a network of its own that can fail. */
  env: Record<string, string>
  setMode: (service: ServiceName, mode: ProxyMode) => Promise<void>
  close: () => Promise<void>
}

/**
 * Starts Stripe, a mail server and a file storage for a shop, each behind a proxy.
 * @param databaseUrl the shop's, where it is not the site's
 */
export async function startServices({ engine, url }: Site, databaseUrl = url): Promise<Services> {
  const provider = await openStripe({ undeliveredOneIn: 5 })
  const mail = await startSmtpServer()
  const files = mkdtempSync(join(tmpdir(), 'meridian-faults-s3-'))
  const s3 = await startS3(files)
  const proxies = new Map<ServiceName, TcpProxy>()
  /** The URL of a service by its proxy. */
  const through = async (service: ServiceName, direct: string): Promise<string> => {
    const target = new URL(direct)
    const to = { host: target.hostname, port: Number(target.port) }
    const proxy = await startTcpProxy(to, { slowMs: slowMs[service] })
    proxies.set(service, proxy)
    // Not by `URL.host`, which a URL of another scheme may refuse.
    return direct.replace(`${to.host}:${to.port}`, `127.0.0.1:${proxy.port}`)
  }
  const endpoint = new URL(s3.address).searchParams.get('endpoint') ?? ''
  return {
    provider,
    received: mail.received,
    env: {
      ...provider.env,
      STRIPE_API_URL: await through('stripe', provider.stripe.origin),
      SMTP_URL: await through('mail', mail.url),
      MAIL_FROM: 'Meridian <no-reply@shop.example>',
      STORAGE: s3.address.replace(endpoint, await through('storage', endpoint)),
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      ...(engine === 'postgres' && { DATABASE_URL: await through('database', databaseUrl) }),
    },
    setMode: async (service, mode) => proxies.get(service)?.setMode(mode),
    close: async () => {
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()))
      await Promise.all([provider.stripe.close(), mail.close(), s3.close()])
      rmSync(files, { recursive: true, force: true })
    },
  }
}
