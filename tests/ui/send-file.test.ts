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
const replyOf = (status: number, body = '', retryAfter: number | null = null): UploadReply => ({
  status,
  body,
  retryAfter,
})
const address = replyOf(200, '{"uploadURL":"https://shop.example/api/objects/upload/1"}')
const stored = replyOf(200, '{"url":"/objects/1"}')

/** A transport that returns these replies in order and logs its calls. */
function connection(puts: UploadReply[], urlReplies: UploadReply[] = [], online = true) {
  const log: string[] = []
  const waits: WaitReason[] = []
  const state = { online }
  const transport: Transport = {
    requestUploadUrl: async () => {
      log.push('request URL')
      return urlReplies.shift() ?? address
    },
    put: async (url, _file, _signal, onProgress) => {
      log.push(`put ${new URL(url).pathname}`)
      onProgress(4)
      return puts.shift() ?? stored
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

const oneAttempt = ['request URL', 'put /api/objects/upload/1']

test('a file is put at the requested upload URL', async () => {
  const { send, log } = connection([])
  expect(await send()).toEqual({ reference: '/objects/1' })
  expect(log).toEqual(oneAttempt)
})

test.each([
  ['an expired URL', replyOf(403, 'This upload URL has expired.')],
  ['too many requests', replyOf(429, 'Too many requests.')],
  ['a conflict', replyOf(409, 'Conflict.')],
  ['a failure of ours', replyOf(500, 'Something went wrong on our end.')],
  ['an outage', replyOf(503, 'Unavailable.')],
  ['a broken connection', replyOf(0)],
])('%s is retried after 0, 1, 3 and 5 seconds, each time with a new URL', async (_name, answer) => {
  expect(retryDelaysMs).toEqual([0, 1000, 3000, 5000])
  const { send, log } = connection([answer, answer, answer, answer])
  expect(await send()).toEqual({ reference: '/objects/1' })
  const pauses = ['pause 0', 'pause 1000', 'pause 3000', 'pause 5000']
  expect(log).toEqual([...oneAttempt, ...pauses.flatMap((pause) => [pause, ...oneAttempt])])
  const failing = connection(Array.from({ length: 9 }, () => answer))
  expect(await failing.send()).toEqual({ problem: expect.stringMatching(/\w+/) })
  expect(failing.log.filter((line) => line.startsWith('put'))).toHaveLength(5)
})

test.each([400, 403, 404, 410, 413, 415, 422])(
  '%d is not retried and its message is shown',
  async (status) => {
    const { send, log } = connection([replyOf(status, 'The file isn’t a PDF, JPG or PNG.')])
    expect(await send()).toEqual({ problem: 'The file isn’t a PDF, JPG or PNG.' })
    expect(log).toEqual(oneAttempt)
    const withoutUrl = connection([], [replyOf(status, 'Sign in to continue.')])
    expect(await withoutUrl.send()).toEqual({ problem: 'Sign in to continue.' })
    expect(withoutUrl.log).toEqual(['request URL'])
  },
)

test('a refusal after the session ended offers to sign in again', async () => {
  const { send, log } = connection([], [replyOf(401, 'Sign in to continue.')])
  expect(await send()).toEqual({ problem: 'Sign in to continue.', isSignedOut: true })
  expect(log).toEqual(['request URL'])
})

test('an offline upload waits for the connection without using an attempt', async () => {
  const { send, log, waits } = connection([replyOf(0), replyOf(0)], [], false)
  expect(await send()).toEqual({ reference: '/objects/1' })
  expect(log).toEqual([...oneAttempt, 'offline', ...oneAttempt, 'pause 0', ...oneAttempt])
  expect(waits).toEqual(['offline', null, null])
})

test('Retry-After is respected, and reported when longer than a minute', async () => {
  const short = connection([replyOf(429, 'Too many requests.', 2)])
  expect(await short.send()).toEqual({ reference: '/objects/1' })
  expect(short.log).toContain('pause 2000')
  const long = connection([], [replyOf(429, 'Too many requests. Try again in 60 minutes.', 3600)])
  expect(await long.send()).toEqual({ problem: 'Too many requests. Try again in 60 minutes.' })
})

test('a reply without a URL is reported', async () => {
  for (const body of ['', '{}', '{"url":""}', '{"url":7}', '<html>']) {
    const { send, log } = connection([replyOf(200, body)])
    expect(await send()).toEqual({ problem: 'File uploaded but URL not available. Please try again.' })
    expect(log).toEqual(oneAttempt)
  }
})

test('a canceled upload rejects', async () => {
  const controller = new AbortController()
  controller.abort()
  const { send } = connection([replyOf(500)])
  await expect(send(controller.signal)).rejects.toThrow(/abort/i)
})

test('an invalid file is rejected before any request', async () => {
  expect(await checkFile(new Blob([Uint8Array.from(samplePdf())]))).toBeNull()
  expect(await checkFile(new Blob([new Uint8Array(maxFileBytes + 1)]))).toBe('The file is larger than 10 MB.')
  expect(await checkFile(new Blob(['<svg xmlns=']))).toBe('The file isn’t a PDF, JPG or PNG.')
  expect(await checkFile(new Blob([]))).toBe('The file isn’t a PDF, JPG or PNG.')
})
