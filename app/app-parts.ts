import type { Db } from '#db/engine/client.ts'
import type { Replica } from '#db/engine/replica.ts'
import type { Context } from '#server/context.ts'
import type { ShopKeys } from '#server/crypto/key-ring.ts'
import type { Env } from '#server/env.ts'
import type { MalwareScanner } from '#server/integrations/malware/malware-scanner.ts'
import type { Payments } from '#server/integrations/payments/payments.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import type { PublicFiles } from '#server/integrations/web/public-files.ts'
import type { Logger } from '#server/log.ts'
import type { Metrics } from '#server/metrics.ts'
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { PageRequest } from './http/page-cache.server.ts'
import type { Admission } from './http/watch-load.ts'

/** The dependencies of the app. `server.ts` creates them, and tests replace some. */
export type AppParts = {
  env: Env
  db: Db
  log: Logger
  keys: ShopKeys
  storage: Storage
  scanner: MalwareScanner | null
  publicFiles: PublicFiles
  payments: Payments
  /** By default, the metrics of this app alone. */
  metrics?: Metrics
  /** Decides which requests are refused under overload. By default, none. */
  admission?: Admission
  /** The clock of every request. Tests set it. */
  now?: () => Date
  /** Answers /readyz, so that it waits behind no other request. By default, `db`. */
  probeDb?: Db
  /** Serves reads that tolerate lag. */
  replica?: Pick<Replica, 'reads'> | null
}

/** What the handlers of a request share. */
export type AppEnv = {
  Variables: {
    requestId: string
    ctx: Context | undefined
    /** Set when the cache has no response. The rendered one is stored if it is public. */
    missedPage: PageRequest | undefined
    /** Set for a guest, who gets a page from memory with a frame of their own. */
    guestPage: PageRequest | undefined
    /** A response that has its security headers and request id already. */
    completeResponse: Response | undefined
    /** The text of the page, for its compression. */
    page: string | undefined
  }
  /** Undefined when a request does not come from a socket, as in tests. */
  Bindings: HttpBindings | undefined
}

export type AppContext = HonoContext<AppEnv>
export type AppMiddleware = MiddlewareHandler<AppEnv>
