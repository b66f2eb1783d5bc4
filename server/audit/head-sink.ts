import { withResponseTimeout } from '../with-response-timeout.ts'
import { formatHead, type HeadStore } from './saved-heads.ts'

const timeoutMs = 10_000

/**
 * Posts heads to an address of another party, as JSON: `{shop, head, at}`. Any 2xx counts as saved.
 * What it saved is compared there, or here with `audit:verify --head`.
 */
export const headSink = (url: string, publicOrigin: string): HeadStore => ({
  async save(head, at, signal) {
    const post = (limit: AbortSignal): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        // Another address would not be the one that the operator trusts.
        redirect: 'error',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ shop: publicOrigin, head: formatHead(head), at: at.toISOString() }),
        signal: limit,
      })
    const response = await withResponseTimeout(timeoutMs, post, signal)
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The address of AUDIT_HEADS answered ${response.status}.`)
  },
  read: null,
})
