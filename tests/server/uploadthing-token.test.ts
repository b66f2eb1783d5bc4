import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { readEnv } from '#server/env.ts'
import { openUploadThing } from '#server/integrations/storage/uploadthing.ts'
import { mockUploadThing, uploadThingToken } from '#tests/mocks/uploadthing.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'

const read = (token: string, STORAGE = 'uploadthing') =>
  readEnv('production', { ...productionEnv, STORAGE, UPLOADTHING_TOKEN: token }).storage

/** Stores a file with the SDK, which reads the token only then. */
function upload(token: string): Promise<void> {
  const { server } = mockUploadThing()
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  // Of its own deprecated fields.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  return openUploadThing(token).put(newId(), Readable.from([Buffer.from('a')]))
}

const toToken = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

test.each([
  ['', uploadThingToken],
  [' that ends with a line, as in a file', `${uploadThingToken}\n`],
  [' with a field of its own', toToken({ apiKey: 'sk_live_a', appId: 'app123', regions: ['sea1'], more: 1 })],
])('a shop starts with a token of UploadThing%s', (_what, token) => {
  expect(read(token)).toEqual({ kind: 'uploadthing', token })
})

test('the SDK reads a token that ends with a line', async () => {
  await expect(upload(`${uploadThingToken}\n`)).resolves.toBeUndefined()
})

test.each([
  ['a key', 'sk_live_no_secret'],
  ['quotes', `'${uploadThingToken}'`],
  ['a cut end', uploadThingToken.slice(0, -4)],
  ['no padding', uploadThingToken.replaceAll('=', '')],
  ['no JSON of an object', toToken('text')],
  ['another key', toToken({ apiKey: 'no_secret', appId: 'app123', regions: ['sea1'] })],
  ['no app', toToken({ apiKey: 'sk_live_no_secret', regions: ['sea1'] })],
  ['no region', toToken({ apiKey: 'sk_live_no_secret', appId: 'app123', regions: [] })],
])('a token of UploadThing with %s, which the SDK refuses later, stops the start', async (_what, token) => {
  const message =
    /^UPLOADTHING_TOKEN: must be the token from UploadThing’s dashboard: base64 of JSON with [^\n]+$/
  expect(() => read(token)).toThrow(message)
  expect(() => read(token)).not.toThrow(token)
  await expect(upload(token)).rejects.toThrow(AppError)
})

test('a token without STORAGE=uploadthing is not read', () => {
  expect(read('sk_live_no_secret', 'local:/files')).toEqual({ kind: 'local', path: '/files' })
})
