import { sql } from 'kysely'
import { getEngine, prepareQuery, type Db } from '../engine/client.ts'
import type { PageScope } from '../schema/page-versions.ts'

const rowsOf = prepareQuery((db) =>
  db.selectFrom('pageVersions').select(['scope', 'slot', 'version']).orderBy('scope').orderBy('slot'),
)

/** The version of each scope: two reads with the same version see the same rows. */
export async function readPageVersions(db: Db): Promise<Record<PageScope, string>> {
  const versions = { catalog: '', stock: '' }
  for (const { scope, slot, version } of await rowsOf(db, {})) versions[scope] += `${slot}:${version} `
  return versions
}

/** More connections than a shop of several processes has at once. */
const maxSlots = 100

/**
 * Deletes the versions of ended Postgres connections, once they are many. It sets versions of its
 * own in the same transaction: without them, what is left could be the state before a change.
 */
export async function dropEndedVersions(db: Db): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  const { slots } = await db
    .selectFrom('pageVersions')
    .select(({ fn }) => fn.countAll<number>().as('slots'))
    .executeTakeFirstOrThrow()
  if (slots <= maxSlots) return
  await db.transaction().execute(async (tx) => {
    await sql`delete from page_versions where slot not in (select pid from pg_stat_activity)`.execute(tx)
    await sql`select set_page_version('catalog'), set_page_version('stock')`.execute(tx)
  })
}
