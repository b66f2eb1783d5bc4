import { demoPassword } from '#server/demo/demo-accounts.ts'
import { hashPassword, verifyPassword } from '#server/accounts/passwords.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal, unseal } from '#server/crypto/sealing.ts'
import { testKeys } from '#tests/support/context.ts'
import { engines, freshDatabase, makeTemplates } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { load } from './load.ts'

/**
 * `npm run bench:accounts`: signing in beside argon2 alone, the front page with and without a flood of sign-ins, the profile page
 * beside one that shows nothing of the customer, and the sealing of a field. Each pair in turn, the median of the rounds.
 */
const ms = 3000
const rounds = 3
const floodConnections = 20

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

/** How often a second `work` is done by so many at once, until the time is over. */
async function perSecond(work: () => Promise<unknown>, atOnce: number): Promise<number> {
  const started = performance.now()
  let done = 0
  const loop = async (): Promise<void> => {
    while (performance.now() < started + ms) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return (1000 * done) / (performance.now() - started)
}

async function postLogin(origin: string, password: string): Promise<Response> {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ email: 'customer@meridian.test', password }),
  })
  await response.arrayBuffer()
  return response
}

async function signIn(origin: string): Promise<string> {
  const response = await postLogin(origin, demoPassword)
  if (response.status !== 303) throw new Error(`Signing in was answered ${response.status}.`)
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('session='))
  return cookie?.split(';', 1)[0] ?? ''
}

async function measureShop(name: string, shop: RunningShop): Promise<void> {
  const passwordHash = await hashPassword(demoPassword)
  const alone: number[] = []
  const signIns: number[] = []
  const quiet: number[] = []
  const flooded: number[] = []
  const bare: number[] = []
  const profile: number[] = []
  const cookie = await signIn(shop.origin)
  await load(shop, ['/', '/about'], { ms: 1000 })
  for (let round = 0; round < rounds; round++) {
    alone.push(await perSecond(() => verifyPassword(passwordHash, demoPassword), 4))
    signIns.push(await perSecond(() => signIn(shop.origin), 4))
    quiet.push((await load(shop, ['/'], { ms, connections: 2 })).p95Ms)
    const [beside] = await Promise.all([
      load(shop, ['/'], { ms, connections: 2 }),
      perSecond(() => postLogin(shop.origin, 'a wrong password'), floodConnections),
    ])
    flooded.push(beside.p95Ms)
    bare.push((await load(shop, ['/about'], { ms, connections: 1, cookie })).p50Ms)
    profile.push((await load(shop, ['/profile'], { ms, connections: 1, cookie })).p50Ms)
  }
  const row = (what: string, ours: number, beside: string, other: number, unit: string): void =>
    console.log(
      `${name.padEnd(10)}${what.padEnd(40)}${ours.toFixed(2).padStart(9)} ${unit}   ${beside} ${other.toFixed(2)} ${unit}   ratio ${(ours / other).toFixed(2)}`,
    )
  row('sign-ins', median(signIns), 'argon2 alone, as many at once', median(alone), '/s')
  row('front page p95 in a flood of sign-ins', median(flooded), 'without', median(quiet), 'ms')
  row('profile p50', median(profile), 'a page without the customer', median(bare), 'ms')
}

function measureSealing(): void {
  const data = bindings.userName('019a7c1e-0000-7000-8000-000000000000')
  const text = 'Lisinopril 10 mg, once a day, in the morning, with water.'
  const sealed = seal(testKeys, data, text)
  const count = 50_000
  for (const [name, work] of [
    ['seal', () => seal(testKeys, data, text)],
    ['unseal', () => unseal(testKeys, data, sealed)],
  ] as const) {
    const figures = Array.from({ length: rounds }, () => {
      const started = performance.now()
      for (let i = 0; i < count; i++) work()
      return (1000 * (performance.now() - started)) / count
    })
    console.log(
      `${name.padEnd(10)}a field of ${text.length} letters${median(figures).toFixed(2).padStart(10)} µs`,
    )
  }
}

measureSealing()
const server = await findPostgres({ durable: true })
const templates = await makeTemplates(server.url, ['demo'], { durable: true })
try {
  for (const engine of engines) {
    const database = await freshDatabase(templates, engine, 'demo')
    const shop = await startShop(database.url, { env: { RATE_LIMITS: 'off' } })
    try {
      await measureShop(engine, shop)
    } finally {
      await shop.stop()
      await database.remove()
    }
  }
} finally {
  await templates.remove()
  await server.stop()
}
