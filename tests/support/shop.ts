import type { createApp } from '#app/app.ts'
import type { Admission } from '#app/http/watch-load.ts'
import type { Db, Engine, openDatabase } from '#db/engine/client.ts'
import type { openPayments } from '#server/integrations/payments/open-payments.ts'
import type { setFastPaths } from '#domain/fast-paths.ts'
import { wantsFastPaths } from './fast-paths.ts'
import { readEnv, type Env, type Mode } from '#server/env.ts'
import type { Payments } from '#server/integrations/payments/payments.ts'
import type { MalwareScanner } from '#server/integrations/malware/malware-scanner.ts'
import { noPublicFiles, type PublicFiles } from '#server/integrations/web/public-files.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import { createLog } from '#server/log.ts'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, inject } from 'vitest'
import { storageOf, testKeys } from './context.ts'
import { engines, freshDatabase, openTestDatabase } from './databases.ts'
import './engines.ts'
import { productionEnv } from './production-env.ts'

type Build = {
  createApp: typeof createApp
  openDatabase: typeof openDatabase
  openPayments: typeof openPayments
  setFastPaths: typeof setFastPaths
}

/** The built shop, loaded once per test file. */
export async function loadBuild(): Promise<Build> {
  const file = resolve('build/server/index.js')
  try {
    const build = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Build
    build.setFastPaths(wantsFastPaths)
    return build
  } catch (error) {
    throw new Error(`Could not load the built shop. Run "npm run build" first.`, { cause: error })
  }
}

type Fields = Record<string, string>

/**
 * A visitor without JavaScript. It keeps cookies, sends a browser's headers and follows no
 * redirects.
 */
export type Visitor = {
  get: (path: string, headers?: Fields) => Promise<Response>
  /** Posts a form as the shop's page does. */
  post: (path: string, fields: Fields, headers?: Fields) => Promise<Response>
  request: (path: string, init: RequestInit) => Promise<Response>
  cookies: Map<string, string>
}

export type Shop = {
  db: Db
  /** The replica, if it has one. */
  replica: Db
  origin: string
  /** The log so far, one object per line. */
  log: Record<string, unknown>[]
  /** A new visitor with its own cookies. */
  visit: () => Visitor
}

export type ShopOptions = {
  scanner?: MalwareScanner
  publicFiles?: PublicFiles
  mode?: Mode
  env?: Record<string, string>
  /** The clock of every request. */
  now?: () => Date
  /** `demo` contains the demo catalog. */
  catalog?: 'demo' | 'empty'
  /** The database that the app opens instead of the test's, such as an unreachable one. */
  databaseUrl?: string
  /** By default, the storage in memory `storageOf(shop.db)`. */
  storage?: Storage
  /** By default, demo payments, or Stripe when `env` has `PAYMENTS: 'stripe'`. */
  payments?: Payments
  /** By default, no request is refused because of overload. */
  admission?: Admission
  /** Wraps the payments, to test how the shop handles their failures. */
  wrapPayments?: (payments: Payments) => Payments
  /** Wraps the app's database, to test how the shop handles its failures. */
  wrap?: (db: Db) => Db
  /** Gives it a second database as its replica, which never follows. */
  hasReplica?: boolean
}

/** Defines the same tests of the built shop for each engine. Each shop has its own database. */
export function eachShop(
  defineTests: (openShop: (options?: ShopOptions) => Promise<Shop>, engine: Engine) => void,
  on: readonly Engine[] = engines,
): void {
  describe.each(on)('on %s', (engine) => {
    const cleanups: (() => Promise<void>)[] = []
    afterAll(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup()
    })
    defineTests(async (options = {}) => {
      const database = await freshDatabase(inject('templates'), engine, options.catalog ?? 'demo')
      cleanups.push(database.remove)
      const db = openTestDatabase(database.url)
      cleanups.push(() => db.destroy())
      const build = await loadBuild()
      // The built shop contains its own Kysely, so it opens its database itself.
      const appDb = build.openDatabase(options.databaseUrl ?? database.url, (error) => {
        throw error
      })
      cleanups.push(() => appDb.destroy())
      const wrapped = options.wrap ? options.wrap(appDb) : appDb
      if (!options.hasReplica) return openShop(build, db, { appDb: wrapped }, options)
      const copy = await freshDatabase(inject('templates'), engine, options.catalog ?? 'demo')
      const replica = { db: openTestDatabase(copy.url), reads: build.openDatabase(copy.url, () => {}) }
      cleanups.push(
        copy.remove,
        () => replica.db.destroy(),
        () => replica.reads.destroy(),
      )
      return openShop(build, db, { appDb: wrapped, replica }, options)
    }, engine)
  })
}

async function openShop(
  build: Build,
  db: Db,
  { appDb, replica = null }: { appDb: Db; replica?: { db: Db; reads: Db } | null },
  options: ShopOptions,
): Promise<Shop> {
  const env = readEnv(options.mode ?? 'demo', {
    ...(options.mode === 'production' && productionEnv),
    DATABASE_URL: 'sqlite:opened already',
    DEMO_CATALOG: 'none',
    ...options.env,
  })
  const log: Record<string, unknown>[] = []
  const logger = createLog('info', {
    write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>),
  })
  const wrapPayments = options.wrapPayments ?? ((payments) => payments)
  const app = build.createApp({
    env,
    db: appDb,
    log: logger,
    keys: testKeys,
    storage: options.storage ?? storageOf(db),
    scanner: options.scanner ?? null,
    publicFiles: options.publicFiles ?? noPublicFiles,
    payments: wrapPayments(options.payments ?? (await paymentsOf(build, env, appDb, options))),
    ...(options.admission && { admission: options.admission }),
    ...(options.now && { now: options.now }),
    replica,
  })
  const origin = env.publicOrigin
  return {
    db,
    replica: replica?.db ?? db,
    origin,
    log,
    visit: () => visitor(origin, async (request) => app.fetch(request)),
  }
}

/** Demo payments, unless the environment selects Stripe. */
async function paymentsOf(build: Build, env: Env, appDb: Db, options: ShopOptions): Promise<Payments> {
  // The build's own function, because it recognizes only databases that the build opened.
  return build.openPayments(options.env?.['PAYMENTS'] === 'stripe' ? env.payments : { kind: 'demo' }, appDb)
}

/**
 * From undici 7.20 on (Node 24), the body of a form writes on after its reader cancelled it, and an
 * unhandled error ends the process (nodejs/undici#5835). A blob stops.
 */
const encodeForm = async (form: FormData): Promise<Blob> => new Response(form).blob()

function visitor(origin: string, fetch: (request: Request) => Promise<Response>): Visitor {
  const cookies = new Map<string, string>()
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (!headers.has('host')) headers.set('host', new URL(origin).host)
    if (!headers.has('cookie') && cookies.size > 0) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const body = init.body instanceof FormData ? await encodeForm(init.body) : init.body
    const response = await fetch(
      new Request(new URL(path, origin), { ...init, ...(body && { body }), headers, redirect: 'manual' }),
    )
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    request,
    get: (path, headers = {}) => request(path, { headers }),
    post: (path, fields, headers = {}) =>
      request(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      }),
  }
}
