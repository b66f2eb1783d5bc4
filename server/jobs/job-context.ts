import type { Db } from '#db/client.ts'
import type { ShopKeys } from '../key-ring.ts'
import type { Logger } from '../log.ts'

/** What a job gets. It has no request and no user; its clock goes on while it runs. */
export type JobContext = { db: Db; log: Logger; keys: ShopKeys; now: () => Date }
