import { Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

/** For each attempt at a DNS server. */
const attempts = { timeout: 2000, tries: 2 }

/**
 * All addresses of a host by DNS, those that this machine can reach first. Not `dns.lookup`, whose
 * few threads the whole process shares: one host with a dead DNS server would block Stripe, too.
 * @param servers by default, those of this machine
 */
export async function resolveHost(
  host: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<string[]> {
  signal.throwIfAborted()
  const resolver = new Resolver(attempts)
  if (servers) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = (hasIpv4() ? [v4, v6] : [v6, v4]).flatMap((one) =>
      one.status === 'fulfilled' ? one.value : [],
    )
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const hasIpv4 = (): boolean =>
  Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.family === 'IPv4' && !one.internal)
