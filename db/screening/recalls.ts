import { groupBy } from '#domain/group-by.ts'
import { toItemValue, toVariantId, type PackageCodes } from '#domain/screening/recall-codes.ts'
import { unknownClass } from '#domain/screening/recorded-recall.ts'
import type { Recall } from '#domain/screening/recall.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** Recalls with their packages and lots, and what is left to do about them. */

/** The class as staff and customers read it. */
export const shownClass = sql<string>`case when class_known then recall_class else ${sql.lit(unknownClass)} end`

type Filter = { list: string } | { ids: readonly string[] }

/** The recalls of a list, or those with these ids. */
export async function listRecalls(db: Db, filter: Filter): Promise<Recall[]> {
  const ids = sql<string>`${JSON.stringify('ids' in filter ? filter.ids : [])}`
  const only = (column: string) => isOneOf(db, column, ids)
  const ofList = 'list' in filter ? filter.list : null
  const rows = await db
    .selectFrom('careRecalls')
    .select([
      'id',
      'list',
      shownClass.as('recallClass'),
      'status',
      'firm',
      'reason',
      'product',
      'initiated',
      'reported',
      'allLots',
      'lotNote',
    ])
    .$if(ofList === null, (query) => query.where(only('id')))
    .$if(ofList !== null, (query) => query.where('list', '=', ofList ?? ''))
    .orderBy('reported', 'desc')
    .orderBy('id')
    .execute()
  const packages = await db
    .selectFrom('careRecallPackages')
    .innerJoin('careRecalls', 'careRecalls.id', 'careRecallPackages.recallId')
    .select(['recallId', 'ndc'])
    .$if(ofList === null, (query) => query.where(only('recall_id')))
    .$if(ofList !== null, (query) => query.where('careRecalls.list', '=', ofList ?? ''))
    .execute()
  const lots = await db
    .selectFrom('careRecallLots')
    .innerJoin('careRecalls', 'careRecalls.id', 'careRecallLots.recallId')
    .select(['recallId', 'lot'])
    .$if(ofList === null, (query) => query.where(only('recall_id')))
    .$if(ofList !== null, (query) => query.where('careRecalls.list', '=', ofList ?? ''))
    .execute()
  const codesOf = groupBy(packages, ({ recallId }) => recallId)
  const lotsOf = groupBy(lots, ({ recallId }) => recallId)
  return rows.map((row) => ({
    ...row,
    codes: (codesOf.get(row.id) ?? []).map(({ ndc }) => ndc),
    lots: (lotsOf.get(row.id) ?? []).map(({ lot }) => lot),
  }))
}

/** Removes recalls of any list. Their packages and lots go with them. */
export async function deleteRecalls(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('careRecalls')
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
}

type CodedVariant = PackageCodes & { id: string }
/** A package that recalls may name, also a deleted one: orders still name it. */
export type CatalogPackage = CodedVariant & { deletedAt: Date | null }

const packageColumns = ['id', 'ndc', 'din', 'upc', 'deletedAt'] as const

/** The package codes of all variants that have an NDC, which may be most of the catalog. */
export const listNdcPackages = (db: Db): Promise<CatalogPackage[]> =>
  db.selectFrom('productVariants').select(packageColumns).where('ndc', 'is not', null).execute()

/** The package codes of the variants that these codes name by their id, DIN or UPC. */
export const listNamedPackages = (db: Db, codes: readonly string[]): Promise<CatalogPackage[]> =>
  db
    .selectFrom('productVariants')
    .select(packageColumns)
    .where((row) =>
      row.or([
        isOneOf(db, 'id', sql`${JSON.stringify(codes.flatMap((code) => toVariantId(code) ?? []))}`),
        row(
          'id',
          'in',
          row
            .selectFrom('variantIdentifiers')
            .select('variantId')
            .where(
              isOneOf(db, 'value', sql`${JSON.stringify(codes.flatMap((code) => toItemValue(code) ?? []))}`),
            )
            .where('kind', 'in', ['din', 'upc']),
        ),
      ]),
    )
    .execute()

/** The package codes of these variants. */
export const listCodesOf = (db: Db, ids: readonly string[]): Promise<CodedVariant[]> =>
  db
    .selectFrom('productVariants')
    .select(['id', 'ndc', 'din', 'upc'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()

/** How many rows the list of shortages, or a list of recalls, has. */
export async function countRows(db: Db, name: string): Promise<number> {
  const count =
    name === 'shortages'
      ? db.selectFrom('careShortages').select(({ fn }) => fn.countAll().as('count'))
      : db
          .selectFrom('careRecalls')
          .where('list', '=', name)
          .select(({ fn }) => fn.countAll().as('count'))
  return Number((await count.executeTakeFirstOrThrow()).count)
}

/** The current shortages, by their packages. */
export const listShortageTexts = (
  db: Db,
): Promise<{ packageNdc: string; status: string; availability: string | null; updated: string }[]> =>
  db.selectFrom('careShortages').select(['packageNdc', 'status', 'availability', 'updated']).execute()

/** Removes the shortages of these packages. Returns the highest line that is left. */
export async function deleteShortagesOf(db: Db, packageNdcs: readonly string[]): Promise<number> {
  await db
    .deleteFrom('careShortages')
    .where(isOneOf(db, 'package_ndc', sql`${JSON.stringify(packageNdcs)}`))
    .execute()
  const { last } = await db
    .selectFrom('careShortages')
    .select(({ fn }) => fn.max('line').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Notes that the effects of recalls are to be applied. */
export async function insertRecallTasks(db: Db, ids: readonly string[], requestedAt: Date): Promise<void> {
  for (let at = 0; at < ids.length; at += 1000)
    await db
      .insertInto('recallTasks')
      .values(ids.slice(at, at + 1000).map((recallId) => ({ recallId, requestedAt })))
      .onConflict((conflict) => conflict.column('recallId').doUpdateSet({ requestedAt }))
      .execute()
}

export const listRecallTasks = (db: Db): Promise<{ recallId: string; requestedAt: Date }[]> =>
  db.selectFrom('recallTasks').selectAll().execute()

/** Removes tasks that were applied, unless they were requested again since. */
export async function deleteRecallTasks(db: Db, ids: readonly string[], until: Date): Promise<void> {
  await db
    .deleteFrom('recallTasks')
    .where(isOneOf(db, 'recall_id', sql`${JSON.stringify(ids)}`))
    .where('requestedAt', '<=', until)
    .execute()
}
