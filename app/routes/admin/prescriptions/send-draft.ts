import { paths } from '#domain/paths.ts'
import type { DraftInput } from '#domain/dispensing/case-inputs.ts'

/**
 * Browsers send at most 64 KiB after the page is closed.
 * https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
const keepaliveBytes = 60 * 1024

/**
 * Saves a draft while its page is being left. The call goes out at once, which the batch of other
 * calls doesn't, and the browser completes it without the page. Throws when it is not saved.
 */
export async function sendDraft(input: DraftInput): Promise<void> {
  const body = new Blob([JSON.stringify(input)], { type: 'application/json' })
  const url = `${paths.trpc}/cases.saveDraft`
  const { ok } = await fetch(url, { method: 'POST', body, keepalive: body.size <= keepaliveBytes })
  if (!ok) throw new Error('The draft was not saved.')
}
