import { Resolver } from 'node:dns/promises'

/** For each attempt at a DNS server. */
const attempts = { timeout: 2000, tries: 2 }
/**
 * How long to wait for the other family: some DNS servers drop the queries of one. A lost packet of
 * that family, which would be sent again later, costs an attempt at most.
 */
const otherFamilyMs = 300

/**
 * All addresses of a host by DNS. Not `dns.lookup`, whose few threads the whole process shares: one
 * host with a dead DNS server would block Stripe, too.
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
    const queries = [resolver.resolve4(host), resolver.resolve6(host)] as const
    await Promise.any(queries).catch(() => {})
    const timer = setTimeout(cancel, otherFamilyMs)
    const [v4, v6] = await Promise.allSettled(queries)
    clearTimeout(timer)
    const found = [v4, v6].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
