import { freePort } from '#tests/support/free-port.ts'
import { trustAuthority } from '#tests/support/http-client.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { endProgram, openPooler, startProgram, whenListening } from './pooler.ts'

export type Front = {
  /** The https origin that clients see. */
  origin: string
  /** DATABASE_URL through the pooler. */
  pooledUrl: string
  close: () => Promise<void>
}

/**
 * Starts Debian's Caddy and PgBouncer by the files in deploy/, between clients, these shops and
 * this Postgres. The certificate is of Caddy's own authority.
 */
export async function openFront(databaseUrl: string, shopPorts: readonly number[]): Promise<Front> {
  const pooler = await openPooler(databaseUrl)
  const home = mkdtempSync('/tmp/meridian-front-')
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const caddy = startProgram('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    CADDY_ADMIN: 'off',
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    SHOP_HOST: 'localhost',
    SHOP_TLS: 'internal',
    SHOP_UPSTREAMS: shopPorts.map((shop) => `127.0.0.1:${shop}`).join(' '),
  })
  const close = async (): Promise<void> => {
    await Promise.all([endProgram(caddy), pooler.close()])
    rmSync(home, { recursive: true, force: true })
  }
  try {
    await whenListening(httpsPort)
    trustAuthority(readFileSync(join(home, 'caddy/pki/authorities/local/root.crt'), 'utf8'))
    return { origin: `https://localhost:${httpsPort}`, pooledUrl: pooler.url, close }
  } catch (error) {
    await close()
    throw error
  }
}
