import {
  checkFile,
  retryDelaysMs,
  sendFile,
  type UploadReply,
  type Transport,
  type WaitReason,
} from '#app/components/upload/send-file.ts'
import { maxFileBytes } from '#domain/files/files.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { expect, test } from 'vitest'

const file = new Blob(['%PDF-1.4'])
const said = (status: number, body = '', retryAfter: number | null = null): UploadReply => ({
  status,
  body,
  retryAfter,
})
const address = said(200, '{"uploadURL":"https://shop.example/api/objects/upload/1"}')
const taken = said(200, '{"url":"/objects/1"}')

/** A connection that answers PUTs so, one after the other; says what was asked of it. */
function connection(puts: UploadReply[], asks: UploadReply[] = [], online = true) {
  const log: string[] = []
  const waits: WaitReason[] = []
  const state = { online }
  const transport: Transport = {
    requestUploadUrl: async () => {
      log.push('ask')
      return asks.shift() ?? address
    },
    put: async (url, _file, _signal, onProgress) => {
      log.push(`put ${new URL(url).pathname}`)
      onProgress(4)
      return puts.shift() ?? taken
    },
    isOnline: () => state.online,
    untilOnline: async () => {
      log.push('offline')
      state.online = true
    },
    pause: async (ms, signal) => {
      if (signal.aborted) throw signal.reason
      log.push(`pause ${ms}`)
    },
  }
  const send = (signal = new AbortController().signal) =>
    sendFile(transport, file, signal, { onProgress: () => {}, onWaiting: (waiting) => waits.push(waiting) })
  return { send, log, waits }
}

const tryOnce = ['ask', 'put /api/objects/upload/1']

test('a file is put at the address that was asked for', async () => {
  const { send, log } = connection([])
  expect(await send()).toEqual({ reference: '/objects/1' })
  expect(log).toEqual(tryOnce)
})

test.each([
  ['an expired address', said(403, 'This upload address has expired.')],
  ['too many requests', said(429, 'Too many requests.')],
  ['a conflict', said(409, 'Conflict.')],
  ['a failure of ours', said(500, 'Something went wrong on our side.')],
  ['an outage', said(503, 'Unavailable.')],
  ['a broken connection', said(0)],
])('%s is tried again after 0, 1, 3 and 5 seconds, each time at a fresh address', async (_name, answer) => {
  expect(retryDelaysMs).toEqual([0, 1000, 3000, 5000])
  const { send, log } = connection([answer, answer, answer, answer])
  expect(await send()).toEqual({ reference: '/objects/1' })
  const pauses = ['pause 0', 'pause 1000', 'pause 3000', 'pause 5000']
  expect(log).toEqual([...tryOnce, ...pauses.flatMap((pause) => [pause, ...tryOnce])])
  const failing = connection(Array.from({ length: 9 }, () => answer))
  expect(await failing.send()).toEqual({ problem: expect.stringMatching(/\w+/) })
  expect(failing.log.filter((line) => line.startsWith('put'))).toHaveLength(5)
})

test.each([400, 401, 403, 404, 410, 413, 415, 422])('%d is not tried again and says why', async (status) => {
  const { send, log } = connection([said(status, 'The file isn’t a PDF, JPG or PNG.')])
  expect(await send()).toEqual({ problem: 'The file isn’t a PDF, JPG or PNG.' })
  expect(log).toEqual(tryOnce)
  const unasked = connection([], [said(status, 'Please sign in.')])
  expect(await unasked.send()).toEqual({ problem: 'Please sign in.' })
  expect(unasked.log).toEqual(['ask'])
})

test('offline it waits until the browser is online again, which is no try', async () => {
  const { send, log, waits } = connection([said(0), said(0)], [], false)
  expect(await send()).toEqual({ reference: '/objects/1' })
  expect(log).toEqual([...tryOnce, 'offline', ...tryOnce, 'pause 0', ...tryOnce])
  expect(waits).toEqual(['offline', null, null])
})

test('a time that the server asks for is kept, and one beyond a minute is told instead of waited', async () => {
  const short = connection([said(429, 'Too many requests.', 2)])
  expect(await short.send()).toEqual({ reference: '/objects/1' })
  expect(short.log).toContain('pause 2000')
  const long = connection([], [said(429, 'Too many requests. Try again in 60 minutes.', 3600)])
  expect(await long.send()).toEqual({ problem: 'Too many requests. Try again in 60 minutes.' })
})

test('an answer without an address is told as such', async () => {
  for (const body of ['', '{}', '{"url":""}', '{"url":7}', '<html>']) {
    const { send, log } = connection([said(200, body)])
    expect(await send()).toEqual({ problem: 'File uploaded but URL not available. Please try again.' })
    expect(log).toEqual(tryOnce)
  }
})

test('a cancelled upload rejects', async () => {
  const controller = new AbortController()
  controller.abort()
  const { send } = connection([said(500)])
  await expect(send(controller.signal)).rejects.toThrow(/abort/i)
})

test('what is wrong with a file is seen before it leaves', async () => {
  expect(await checkFile(new Blob([Uint8Array.from(samplePdf())]))).toBeNull()
  expect(await checkFile(new Blob([new Uint8Array(maxFileBytes + 1)]))).toBe('The file is larger than 10 MB.')
  expect(await checkFile(new Blob(['<svg xmlns=']))).toBe('The file isn’t a PDF, JPG or PNG.')
  expect(await checkFile(new Blob([]))).toBe('The file isn’t a PDF, JPG or PNG.')
})
