import type { Db } from '#db/engine/client.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import { newManufacturerSchema } from '#domain/catalog/manufacturer-fields.ts'
import { createManufacturer } from '#server/catalog/save-manufacturer.ts'
import { receiveFormUpload } from '#server/files/receive-upload.ts'
import { appRouter } from '#server/trpc/router.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import {
  generateRequest,
  type GeneratedRequest,
  type GeneratedRoute,
  type JsonSchema,
  type KnownIds,
} from '#tests/support/generate-requests.ts'
import { isNightly } from '#tests/support/nightly.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { routeFiles } from '#tests/support/route-paths.ts'
import { routeWords } from '#tests/support/route-words.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { seededRandom } from '#domain/seeded-random.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { z } from 'zod'

const shortRequests = 100

/**
 * The requests to each route, half of them on each engine: 10,000 in the long form. A route that
 * only reads gets a quarter of them in the short form: all but its query is refused.
 */
const requestsPerRoute = Number(process.env['REQUESTS_PER_ROUTE'] ?? (isNightly ? 10_000 : shortRequests))
const isLong = requestsPerRoute > shortRequests
/** Repeats a run. The ids of the shop's rows are new each time. */
const seed = process.env['REQUESTS_SEED'] ?? (isLong ? String(Date.now()) : '1')
const longestMs = 2000

const procedureSchema = z.custom<{ _def: { inputs?: unknown[] } }>()
const procedures = z.record(z.string(), procedureSchema).parse(appRouter._def.procedures)

const inputSchema = (inputs: readonly unknown[] = []): JsonSchema => {
  const [input] = inputs
  if (!(input instanceof z.ZodType)) return {}
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

const emptyRoute = { jsonNames: [], formNames: [], formValues: new Map<string, string[]>() }

/** `REQUESTS_PART=2/8` is the second of eight parts of the routes, for runs at several times. */
const [part = 1, parts = 1] = (process.env['REQUESTS_PART'] ?? '1/1').split('/').map(Number)

/** `REQUESTS_ROUTE=/cart,/orders/:id` repeats these routes. */
const chosenRoutes = process.env['REQUESTS_ROUTE']?.split(',')

/** Every route, and every procedure behind /trpc. */
const routes: readonly GeneratedRoute[] = [
  ...routeFiles.map(({ path, file }) => ({ ...emptyRoute, path, words: routeWords(`app/${file}`) })),
  ...Object.entries(procedures).map(([name, { _def }]) => ({
    ...emptyRoute,
    path: `/trpc/${name}`,
    words: { names: [], literals: [] },
    jsonSchema: inputSchema(_def.inputs),
  })),
].filter(({ path }, at) => (chosenRoutes?.includes(path) ?? true) && at % parts === part - 1)

/** The roles that each account has; a visitor has none. */
const accounts = {
  customer: [],
  pharmacist: ['pharmacist'],
  support: ['support'],
  admin: ['admin'],
} as const satisfies Record<string, readonly Role[]>
type Account = keyof typeof accounts
type Sender = 'visitor' | Account
const senders = ['visitor', 'customer', 'pharmacist', 'support', 'admin'] as const satisfies readonly Sender[]
type Answer = { status: number; text: string; ms: number }

type Site = {
  ids: KnownIds
  /** Adds what requests may have deleted, so that each route finds it. */
  restore: () => Promise<void>
  send: (sender: Sender, request: GeneratedRequest) => Promise<Answer>
  /** Ends all sessions here: the shop may have ended them, or changed whose they are. */
  forgetSessions: () => void
}

/** A prescription whose file can be opened. Returns its id. */
async function addPrescriptionWithFile(db: Db, userId: string): Promise<string> {
  const now = new Date()
  const ctx = testContext(db, { now, user: signedIn(userId) })
  const fileUrl = await receiveFormUpload(ctx, Readable.from([samplePdf()]))
  return (await addPrescription(db, userId, { now, fileUrl })).id
}

async function openSite(shop: Shop): Promise<Site> {
  const users = new Map<Account, string>()
  const customer = await makeUser(shop.db)
  users.set('customer', customer)
  const product = await addProduct(shop.db)
  const variant = await addVariant(shop.db, { productId: product })
  const order = await placeOrder(shop.db, customer, { items: [{ productVariantId: variant, quantity: 2 }] })
  const prescription = await addPrescriptionWithFile(shop.db, customer)
  const fields = { name: 'Acme Labs', city: 'Boston', country: 'US' }
  const manufacturer = await createManufacturer(
    testContext(shop.db, { user: signedIn(await makeUser(shop.db, { isAdmin: true }), { isAdmin: true }) }),
    newManufacturerSchema.parse(fields),
  )
  // By a word of the path or of the field's name, the more specific last.
  const ids = {
    id: [order.id, prescription],
    user: [customer],
    product: [product, await addProduct(shop.db)],
    variant: [variant, await addVariant(shop.db)],
    manufacturer: [manufacturer.id],
    order: [order.id],
    prescription: [prescription],
  } satisfies KnownIds
  const visitors = new Map<Sender, Visitor>()
  /** The account's user. A request may have deleted the last one or changed its roles. */
  const findOrAddUser = async (account: Account): Promise<string> => {
    const roles = accounts[account]
    const user = await shop.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', users.get(account) ?? '')
      .where('roles', '=', roles.join(','))
      .executeTakeFirst()
    const id = user?.id ?? (await makeUser(shop.db, { roles: [...roles] }))
    users.set(account, id)
    return id
  }
  const restore = async (): Promise<void> => {
    const [id] = ids.prescription
    const found = await shop.db
      .selectFrom('prescriptions')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (found) return
    const restored = await addPrescriptionWithFile(shop.db, await findOrAddUser('customer'))
    ids.prescription = [restored]
    ids.id = [order.id, restored]
  }
  const open = async (sender: Sender): Promise<Visitor> => {
    const visitor = visitors.get(sender) ?? shop.visit()
    visitors.set(sender, visitor)
    if (sender !== 'visitor' && !visitor.cookies.has('session'))
      await signInAs(visitor, shop.db, await findOrAddUser(sender))
    return visitor
  }
  const send = async (sender: Sender, { path, ...init }: GeneratedRequest): Promise<Answer> => {
    const visitor = await open(sender)
    const started = performance.now()
    // Not resolved: a path that begins with two slashes would name another host.
    const response = await visitor.request(shop.origin + path, init)
    const text = await response.text()
    return { status: response.status, text, ms: performance.now() - started }
  }
  return { ids, restore, send, forgetSessions: () => visitors.clear() }
}

/** The fields of the page's forms, with the values that it gives them. */
async function readForms(site: Site, sender: Sender, path: string): Promise<Map<string, string[]>> {
  const fields = new Map<string, string[]>()
  const { text } = await site.send(sender, { method: 'GET', path, headers: {} })
  for (const [tag] of text.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(tag)?.[1]
    const value = /\bvalue="([^"]*)"/.exec(tag)?.[1]
    if (name) fields.set(name, [...(fields.get(name) ?? []), ...(value ? [value] : [])])
  }
  return fields
}

/**
 * The fields that the calls of a path know. A call with an unknown field is 400 and names it, so
 * each candidate that a method of the route does not know is found once.
 */
async function learnJsonNames(site: Site, path: string, candidates: readonly string[]): Promise<string[]> {
  const known = new Set<string>()
  for (const method of ['POST', 'PATCH', 'PUT']) {
    const names = new Set(candidates)
    for (;;) {
      const body = JSON.stringify(Object.fromEntries([...names].map((name) => [name, null])))
      const headers = { 'content-type': 'application/json' }
      const { text, status } = await site.send('admin', { method, path, headers, body })
      const unknown = /^"(.*)" is not a known field\.$/.exec(text)?.[1]
      if (unknown === undefined || !names.delete(unknown)) {
        if (status === 422) for (const name of names) known.add(name)
        break
      }
    }
  }
  return [...known]
}

const fill = (path: string, ids: KnownIds): string =>
  path.replaceAll(/:\w+/g, (_, at: number) => {
    const pools = Object.entries(ids).filter(([kind]) => path.slice(0, at).includes(kind))
    return pools.at(-1)?.[1][0] ?? 'x'
  })

/** The route with the fields that its pages and calls have. They are the same on both engines. */
async function learnFields(site: Site, route: GeneratedRoute): Promise<GeneratedRoute> {
  const path = fill(route.path, site.ids)
  if (route.jsonSchema) return route
  if (route.path.startsWith('/api/'))
    return { ...route, jsonNames: await learnJsonNames(site, path, route.words.names) }
  const formValues = new Map([
    ...(await readForms(site, 'customer', path)),
    ...(await readForms(site, 'admin', path)),
  ])
  return { ...route, formValues, formNames: [...formValues.keys(), ...route.words.names.slice(0, 10)] }
}

const describeRequest = ({ method, path, headers, body }: GeneratedRequest): string =>
  JSON.stringify({ method, path, headers, body }).slice(0, 3000)

const learnedRoutes = new Map<string, GeneratedRoute>()

/** Requests a route with every kind of request, and returns what went wrong. */
async function requestRoute(
  site: Site,
  route: GeneratedRoute,
  engine: string,
  origin: string,
): Promise<string[]> {
  const faults: string[] = []
  await site.restore()
  const learned = learnedRoutes.get(route.path) ?? (await learnFields(site, route))
  learnedRoutes.set(route.path, learned)
  const answered = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  for (let i = 0; i < requestsPerRoute / 2; i++) {
    if (i % 50 === 0) site.forgetSessions()
    const random = seededRandom(`${seed} ${engine} ${route.path} ${i}`)
    const sender = random.pick(senders)
    const request = generateRequest(random, learned, { ids: site.ids, origin, answered: [...answered] })
    let answer = await site.send(sender, request)
    if (answer.status === 405) answered.delete(request.method)
    if (!isLong && answered.size === 1 && i >= requestsPerRoute / 8) break
    // Again, because the machine may have been busy.
    for (let again = 0; again < 2 && answer.ms > longestMs; again++) answer = await site.send(sender, request)
    if (answer.status >= 500 || answer.ms > longestMs) {
      const outcome = `${answer.status} in ${Math.round(answer.ms)} ms`
      faults.push(`${outcome}: seed ${seed}, ${route.path} ${i}, ${sender}, ${describeRequest(request)}`)
      if (isLong) process.stderr.write(`${faults.at(-1)}\n`)
    }
  }
  return faults
}

eachShop((openShop, engine) => {
  test('no generated request is answered with a 5xx or takes 2 s', { timeout: 6 * 3600 * 1000 }, async () => {
    // With hundreds of medicines, pages take several times as long, and slow queries show.
    const shop = await openShop({ catalog: isLong ? 'demo' : 'empty' })
    const site = await openSite(shop)
    const faults: string[] = []
    for (const [at, route] of routes.entries()) {
      faults.push(...(await requestRoute(site, route, engine, shop.origin)))
      if (isLong)
        process.stderr.write(`${engine} ${at + 1}/${routes.length} ${route.path}: ${faults.length} faults\n`)
    }
    expect(faults.slice(0, 20)).toEqual([])
  })
})
