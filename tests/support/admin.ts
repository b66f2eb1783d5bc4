import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { testDay } from './catalog.ts'
import { signedIn, testContext } from './context.ts'

export const admin = signedIn('019a7c1e-0000-7000-8000-0000000000ad', { isAdmin: true })

/** The context of a signed-in admin. */
export const asAdmin = (db: Db, now = testDay): Context => testContext(db, { user: admin, now })
