import type { CareList } from '#domain/screening/care-lists.ts'
import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isInCatalog } from './recall-list.ts'

export type StoredCareList = CareList & { sha256: string }

/** The current lists, by name. */
export const listCareLists = (db: Db): Promise<StoredCareList[]> =>
  db.selectFrom('careLists').selectAll().orderBy('name').execute()

/**
 * Writes what an import says of a list, and locks it for this transaction. Returns false when the
 * same file is current, imported by another process in the meantime.
 */
export async function claimCareList(db: Db, list: StoredCareList): Promise<boolean> {
  const claimed = await db
    .insertInto('careLists')
    .values(list)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(list).where('careLists.sha256', '<>', list.sha256),
    )
    .returning('name')
    .execute()
  return claimed.length > 0
}

/**
 * Writes what a file adds to a list, and locks the list for this transaction. The later day dates
 * the list. Its hash stays that of the whole list, so the same whole list imported again changes
 * nothing.
 */
export async function mergeCareList(db: Db, list: StoredCareList): Promise<void> {
  const { rowCount, importedAt } = list
  await db
    .insertInto('careLists')
    .values(list)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({
        listDate: eb
          .case()
          .when('careLists.listDate', '>', eb.ref('excluded.listDate'))
          .then(eb.ref('careLists.listDate'))
          .else(eb.ref('excluded.listDate'))
          .end(),
        rowCount,
        importedAt,
      })),
    )
    .execute()
}

/** Corrects what is said of a list whose rows stay. */
export async function describeCareList(
  db: Db,
  { name, title, source, license }: Pick<CareList, 'name' | 'title' | 'source' | 'license'>,
): Promise<void> {
  await db.updateTable('careLists').set({ title, source, license }).where('name', '=', name).execute()
}

/**
 * Whether the names of ingredients are known. On Postgres, imports that change them and
 * transactions that read them for a product wait for each other until their end: so a product gets
 * the ingredients of the current names. An import then locks products, so a transaction that
 * locks a stored product and the names locks the names first.
 */
export async function lockIngredientNames(db: Db, access: 'read' | 'change'): Promise<boolean> {
  let query = db.selectFrom('careLists').select('name').where('name', '=', 'ingredient-names')
  if (getEngine(db) === 'postgres') query = access === 'read' ? query.forShare() : query.forUpdate()
  return (await query.executeTakeFirst()) !== undefined
}

/** The classes that interactions name, and those that have members. */
export async function listInteractionClasses(db: Db): Promise<{ used: string[]; filled: string[] }> {
  const used = await db
    .selectFrom('careInteractions')
    .select('object')
    .distinct()
    .where('objectKind', '=', 'class')
    .execute()
  const filled = await db.selectFrom('careClassMembers').select('class').distinct().execute()
  return { used: used.map((row) => row.object), filled: filled.map((row) => row.class) }
}

/** How many recalls of a list have no package in the catalog. */
export async function countRecallsOutsideCatalog(db: Db, list: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from care_recalls r where r.list = ${list} and not ${isInCatalog}`.execute(db)
  return rows[0]?.count ?? 0
}
