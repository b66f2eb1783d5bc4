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
 * `npm run bench:accounts` measures pairs in turn and prints the median of the rounds: sign-in
 * against argon2 alone, the home page with and without a flood of sign-ins, and the profile against
 * a page without customer data. It also times sealing one field.
 */
const ms = 3000
const rounds = 3
const floodConnections = 20

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

/** How often a second `concurrency` loops together complete `work`. */
async function perSecond(work: () => Promise<unknown>, concurrency: number): Promise<number> {
  const started = performance.now()
  let done = 0
  const loop = async (): Promise<void> => {
    while (performance.now() < started + ms) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
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
  if (response.status !== 303) throw new Error(`Sign-in returned ${response.status}.`)
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
    const [homePage] = await Promise.all([
      load(shop, ['/'], { ms, connections: 2 }),
      perSecond(() => postLogin(shop.origin, 'a wrong password'), floodConnections),
    ])
    flooded.push(homePage.p95Ms)
    bare.push((await load(shop, ['/about'], { ms, connections: 1, cookie })).p50Ms)
    profile.push((await load(shop, ['/profile'], { ms, connections: 1, cookie })).p50Ms)
  }
  const row = (label: string, ours: number, baselineLabel: string, baseline: number, unit: string): void =>
    console.log(
      `${name.padEnd(10)}${label.padEnd(40)}${ours.toFixed(2).padStart(9)} ${unit}   ${baselineLabel} ${baseline.toFixed(2)} ${unit}   ratio ${(ours / baseline).toFixed(2)}`,
    )
  row('sign-ins', median(signIns), 'argon2 alone, same concurrency', median(alone), '/s')
  row('home page p95 in a flood of sign-ins', median(flooded), 'without', median(quiet), 'ms')
  row('profile p50', median(profile), 'a page without customer data', median(bare), 'ms')
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
      `${name.padEnd(10)}a field of ${text.length} characters${median(figures).toFixed(2).padStart(10)} µs`,
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
