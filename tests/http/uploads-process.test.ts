import { inChunks, samplePdf } from '#tests/support/sample-files.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'customer@meridian.test', password: 'meridian-demo' }),
    headers: { origin },
    redirect: 'manual',
  })
  const [cookie = ''] = answer.headers.getSetCookie()
  return cookie.split(';')[0] ?? ''
}

async function address(origin: string, cookie: string): Promise<string> {
  const reply = await fetch(`${origin}/api/objects/upload`, { method: 'POST', headers: { cookie } })
  return ((await reply.json()) as { uploadURL: string }).uploadURL
}

/** Puts bytes without a length and reads the response while they are being sent. */
const putChunked = (url: string, cookie: string, bytes: Buffer): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const call = request(url, { method: 'PUT', headers: { cookie } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    call.on('error', reject)
    // The shop closes the connection after responding; the rest of the upload fails then.
    call.on('socket', (socket) => socket.on('error', () => {}))
    for (const chunk of inChunks(bytes, 64 * 1024)) call.write(chunk)
    call.end()
  })

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

eachEngine((_engine, _openDb, openWithUrl) => {
  test('one byte too many gets a proper response, and an aborted upload leaves nothing', async () => {
    const { db, url: databaseUrl } = await openWithUrl()
    const folder = mkdtempSync(join(tmpdir(), 'meridian-uploads-'))
    const shop = await startShop(databaseUrl, { demoCatalog: false, env: { STORAGE: `local:${folder}` } })
    onTestFinished(async () => {
      await shop.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const cookie = await signIn(shop.origin)
    // The demo's own documents, if any.
    const before = filesIn(folder)
    const refused = await putChunked(await address(shop.origin, cookie), cookie, samplePdf('x', 30_000_000))
    expect(refused).toEqual({ status: 413, text: 'The file is larger than 10 MB.' })
    expect(filesIn(folder)).toEqual(before)

    const leaving = request(await address(shop.origin, cookie), { method: 'PUT', headers: { cookie } })
    leaving.on('error', () => {})
    leaving.write(samplePdf('x', 2_000_000).subarray(0, 1_000_000))
    await vi.waitFor(() => expect(filesIn(folder).some((name) => name.endsWith('.tmp'))).toBe(true), 60_000)
    leaving.destroy()
    await vi.waitFor(() => expect(filesIn(folder)).toEqual(before), 60_000)

    const accepted = await putChunked(await address(shop.origin, cookie), cookie, samplePdf('x', 10_485_760))
    expect(accepted.status).toBe(200)
    expect(filesIn(folder)).toHaveLength(before.length + 1)
    const rows = await db.selectFrom('files').select('byteSize').where('registeredAt', 'is', null).execute()
    expect(rows).toEqual([{ byteSize: 10_485_760 }])
  }, 60_000)
})
