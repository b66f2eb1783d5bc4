import type { Db } from '#db/engine/client.ts'
import { demoPassword } from '#server/demo/demo-accounts.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { sealedColumns } from '#server/crypto/sealed-columns.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { sealedKeyIds } from '#tests/support/all-columns.ts'
import { runCommand, startCommand, type RunningCommand } from '#tests/support/commands.ts'
import { testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`

/** Starts `npm run keys:rotate`. */
const startRotation = (url: string, { keys, cwd }: { keys: string; cwd: string }): RunningCommand =>
  startCommand('keys-rotate', { cwd, env: { DATABASE_URL: url, ENCRYPTION_KEYS: keys } })

const rotate = (url: string, options: { keys: string; cwd: string }) => startRotation(url, options).ended

/** The master keys that the database names, with the number of columns. */
async function keysNamed(db: Db): Promise<string[]> {
  const ids = await Promise.all(sealedColumns.map(({ table, column }) => sealedKeyIds(db, table, column)))
  return [...new Set(ids.flatMap((set) => [...set]))].toSorted()
}

async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ email: 'customer@meridian.test', password: demoPassword }),
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return cookies.find((cookie) => cookie.startsWith('session=')) ?? ''
}

const readName = async (origin: string, cookie: string): Promise<string> =>
  (await fetch(`${origin}/api/auth/user`, { headers: { cookie } })).text()

async function sendMessage(origin: string, i: number): Promise<number> {
  const page = await (await fetch(`${origin}/contact`)).text()
  const response = await fetch(`${origin}/contact`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({
      name: 'Zoë',
      email: 'zoe@customer.example',
      message: `Message ${i}`,
      token: /name="token" value="([^"]{20,})"/.exec(page)?.[1] ?? '',
    }),
  })
  return response.status
}

/** Reads and writes until stopped; then returns every error. */
function visit(origin: string, cookie: string): { stop: () => Promise<{ visits: number; wrong: string[] }> } {
  const stopping = new AbortController()
  let visits = 0
  const wrong: string[] = []
  const repeat = async (once: (i: number) => Promise<string | null>): Promise<void> => {
    for (let i = 0; !stopping.signal.aborted; i++) {
      const fault = await once(i)
      if (fault !== null) wrong.push(fault)
      visits++
    }
  }
  const loops = [
    repeat(async () => {
      const text = await readName(origin, cookie)
      return text.includes('Elena') ? null : text
    }),
    repeat(async (i) => {
      const status = await sendMessage(origin, i)
      return status === 303 ? null : `contact ${status}`
    }),
  ]
  const stop = async () => {
    stopping.abort()
    await Promise.all(loops)
    return { visits, wrong }
  }
  return { stop }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-rotate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

eachEngine((_engine, _openDb, openWithUrl) => {
  test(
    'keys are rotated in a running shop, even when the command is killed midway',
    { timeout: 120_000 },
    async () => {
      const { db, url } = await openWithUrl()
      const cwd = temporaryFolder()
      const [old, fresh] = [newKey('old'), newKey('new')]
      const start = (keys: string) =>
        startShop(url, { demoCatalog: false, env: { ENCRYPTION_KEYS: keys, RATE_LIMITS: 'off' } })

      const before = await start(old)
      const cookie = await signIn(before.origin)
      expect(await readName(before.origin, cookie)).toContain('Elena')
      await before.stop()
      const keys = { ...testKeys, ...parseKeyRing(old) }
      await db.transaction().execute(async (tx) => {
        for (let i = 0; i < 1000; i++) {
          const mail = { to: { address: 'zoe@customer.example' }, subject: `mail ${i}`, text: 'Hello.' }
          await queueMail(testContext(tx, { keys }), mail)
        }
      })

      const during = await start(`${fresh},${old}`)
      try {
        const visitors = visit(during.origin, cookie)
        const killed = startRotation(url, { keys: `${fresh},${old}`, cwd })
        while (killed.child.exitCode === null && killed.child.signalCode === null) {
          if ((await sealedKeyIds(db, 'outbox', 'sealed_mail')).has('new')) killed.child.kill('SIGKILL')
          await sleep(2)
        }
        await killed.ended
        const finished = await rotate(url, { keys: `${fresh},${old}`, cwd })
        expect(finished).toMatchObject({ code: 0, err: '' })
        expect(finished.out).toMatch(/rewrapped=\d+ left=0 key=new\n$/)
        expect(await rotate(url, { keys: `${fresh},${old}`, cwd })).toMatchObject({
          code: 0,
          out: 'rewrapped=0 left=0 key=new\n',
        })
        const { visits, wrong } = await visitors.stop()
        expect(wrong).toEqual([])
        expect(visits).toBeGreaterThan(10)
      } finally {
        await during.stop()
      }
      expect(await keysNamed(db)).toEqual(['new'])

      const after = await start(fresh)
      try {
        expect(await readName(after.origin, cookie)).toContain('Elena')
        expect((await fetch(`${after.origin}/demo/outbox`)).status).toBe(200)
      } finally {
        await after.stop()
      }
      // The key that sealed everything is missing: nothing changes, and the command reports it.
      const missing = await rotate(url, { keys: newKey('other'), cwd })
      expect(missing.code).toBe(1)
      expect(missing.err).toContain(
        'user_keys.wrapped_key names the key "new", and there is no such key (rows: 7)',
      )
      expect(await keysNamed(db)).toEqual(['new'])
    },
  )

  test(
    'in the demo the command creates the new key, and the running shop uses it',
    { timeout: 120_000 },
    async () => {
      const { db, url } = await openWithUrl()
      const cwd = temporaryFolder()
      const options = {
        demoCatalog: false,
        cwd,
        env: { ENCRYPTION_KEYS: '', SESSION_SECRET: '', RATE_LIMITS: 'off' },
      }
      const shop = await startShop(url, options)
      let cookie = ''
      try {
        cookie = await signIn(shop.origin)
        const [first] = await keysNamed(db)
        const visitors = visit(shop.origin, cookie)
        const { code, out } = await rotate(url, { keys: '', cwd })
        const { wrong } = await visitors.stop()
        expect(wrong).toEqual([])
        expect(code).toBe(0)
        const [, added = ''] = /left=0 key=(\w+)\n$/.exec(out) ?? []
        expect(added).not.toBe(first)
        expect(await sendMessage(shop.origin, 1000)).toBe(303)
        expect(await keysNamed(db)).toEqual([added])
      } finally {
        await shop.stop()
      }
      const again = await startShop(url, options)
      try {
        expect(await readName(again.origin, cookie)).toContain('Elena')
      } finally {
        await again.stop()
      }
    },
  )
})

test('without any keys the command says what it needs and creates none', async () => {
  const cwd = temporaryFolder()
  const url = `sqlite:${join(cwd, 'shop.sqlite')}`
  await runCommand('db', { args: ['migrate'], cwd, env: { DATABASE_URL: url } })
  expect(await rotate(url, { keys: '', cwd })).toMatchObject({
    code: 1,
    out: '',
    err: 'Set ENCRYPTION_KEYS to the keys of the shop, the new key first.\n',
  })
  expect(readdirSync(cwd)).not.toContain('secrets.json')
})
