import { chainPending } from '#db/audit/audit.ts'
import { openDatabase } from '#db/engine/client.ts'
import { createLinkHash } from '#server/audit/chain-hash.ts'
import { testKeys } from '#tests/support/context.ts'

/**
 * Chains the pending audit rows of DATABASE_URL one at a time until it is killed. Prints a dot for
 * each.
 */
const db = openDatabase(process.env['DATABASE_URL'] ?? '', (error) => {
  throw error
})
const hashOf = createLinkHash(testKeys)
for (;;) if (await chainPending(db, { limit: 1, hashOf })) process.stdout.write('.')
