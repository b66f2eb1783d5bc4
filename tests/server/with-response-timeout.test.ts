import { withResponseTimeout } from '#server/with-response-timeout.ts'
import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

/** A request that nothing answers. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

test('an answer in time is returned, and nothing waits for it any longer', async () => {
  const stop = new AbortController()
  expect(await withResponseTimeout(60_000, async (signal) => signal.aborted, stop.signal)).toBe(false)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

test('a request times out even after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const request = withResponseTimeout(200, hang, new AbortController().signal)
  const collecting = (async () => {
    for (let i = 0; i < 5; i++) {
      collect()
      await sleep(10)
    }
  })()
  await expect(request).rejects.toThrow('aborted')
  await collecting
})

test('a request ends when the shop stops, before or during it', async () => {
  const stop = new AbortController()
  const request = withResponseTimeout(60_000, hang, stop.signal)
  stop.abort()
  await expect(request).rejects.toThrow('aborted')
  const later = withResponseTimeout(60_000, async (signal) => signal.throwIfAborted(), stop.signal)
  await expect(later).rejects.toThrow(/abort/i)
})
