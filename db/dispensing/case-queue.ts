import type { CaseQuery } from '#domain/dispensing/case-inputs.ts'
import type { CaseFilter, CaseKind } from '#domain/dispensing/case-queue.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'

/** Who asks for the queue. */
export type QueueReader = {
  /** The signed-in pharmacist. */
  userId: string
  /** Cases whose authorization lapses before this are due. */
  dueBefore: Date
  twoPharmacists: boolean
  /** Whether they may do second checks. */
  isLicensed: boolean
}

/** A case with the numbers of its lines. An undecided prescription counts as one. */
type OpenCase = {
  id: string
  kind: CaseKind
  receivedAt: Date
  captureBefore: Date | null
  refusedAt: Date | null
  waiting: number
  asked: number
  cleared: number
  refused: number
  unchecked: number
  /** Of the unchecked lines, those that another pharmacist cleared. */
  checkable: number
  isMine: number
}

const unshipped = sql`(select id from orders
  where has_rx = ${true} and user_id is not null and status in ('pending', 'processing'))`

/**
 * Unshipped orders with prescription lines, and prescriptions under review that no undecided line
 * of such an order uses. Orders of deleted customers are no cases.
 */
const openCases = (reader: QueueReader): RawBuilder<OpenCase> => sql<OpenCase>`(
  select orders.id, 'order' as kind, orders.created_at as received_at,
    case when holds.status = 'authorized' then holds.capture_before end as capture_before,
    case when holds.status = 'authorized' then holds.refused_at end as refused_at,
    lines.waiting, lines.asked, lines.cleared, lines.refused, lines.unchecked,
    case when orders.user_id = ${reader.userId} then 0 else lines.checkable end as checkable,
    case when lines.mine > 0 or ${hasDraft(sql.ref('orders.id'), reader)} then 1 else 0 end as is_mine
  from orders
  join (
    select order_id,
      cast(sum(case when status = 'waiting' then 1 else 0 end) as integer) as waiting,
      cast(sum(case when status = 'asked' then 1 else 0 end) as integer) as asked,
      cast(sum(case when status = 'cleared' then 1 else 0 end) as integer) as cleared,
      cast(sum(case when status = 'refused' then 1 else 0 end) as integer) as refused,
      cast(sum(case when status = 'cleared' and checked_by is null then 1 else 0 end) as integer) as unchecked,
      cast(sum(case when status = 'cleared' and checked_by is null
        and (decided_by is null or decided_by <> ${reader.userId}) then 1 else 0 end) as integer) as checkable,
      cast(sum(case when decided_by = ${reader.userId} then 1 else 0 end) as integer) as mine
    from line_reviews where order_id in ${unshipped} group by order_id
  ) as lines on lines.order_id = orders.id
  left join payment_holds as holds on holds.order_id = orders.id
  union all
  select prescriptions.id, 'prescription', prescriptions.uploaded_at, null, null,
    case when ${waitsForAnswer} then 0 else 1 end, case when ${waitsForAnswer} then 1 else 0 end, 0, 0, 0, 0,
    case when ${hasDraft(sql.ref('prescriptions.id'), reader)} then 1 else 0 end
  from prescriptions
  where prescriptions.status = 'under_review' and not exists (
    select 1 from line_reviews
    where line_reviews.prescription_id = prescriptions.id
      and line_reviews.status in ('waiting', 'asked') and line_reviews.order_id in ${unshipped})
)`

const hasDraft = (caseId: RawBuilder<unknown>, { userId }: QueueReader) =>
  sql`exists (select 1 from case_drafts
    where case_id = ${caseId} and user_id = ${userId} and sealed_draft is not null)`

/**
 * Whether the customer still has to answer about a prescription, in its thread or an earlier
 * question.
 */
const waitsForAnswer = sql`(exists (select 1 from message_threads
    where message_threads.subject_id = prescriptions.id and waiting_for = 'customer')
  or exists (select 1 from prescription_questions
    where prescription_questions.prescription_id = prescriptions.id and answered_at is null))`

const isUndecided = sql<SqlBool>`waiting + asked > 0`
const noCase = sql<SqlBool>`(1 = 0)`
const isRefused = sql<SqlBool>`refused_at is not null`

function filterCondition(
  filter: CaseFilter,
  { dueBefore, twoPharmacists, isLicensed }: QueueReader,
): RawBuilder<SqlBool> {
  const isUnchecked = twoPharmacists ? sql<SqlBool>`unchecked > 0` : noCase
  const isOpen = sql<SqlBool>`(${isUndecided} or ${isRefused} or ${isUnchecked})`
  switch (filter) {
    case 'new':
      return sql<SqlBool>`(waiting > 0 or ${isRefused})`
    case 'asked':
      return sql<SqlBool>`asked > 0`
    case 'due':
      return sql<SqlBool>`((${isUndecided} and capture_before < ${dueBefore}) or ${isRefused})`
    case 'mine':
      return sql<SqlBool>`(is_mine = 1 and ${isOpen})`
    case 'check':
      return twoPharmacists && isLicensed ? sql<SqlBool>`checkable > 0` : noCase
    case 'all':
      return isOpen
  }
}

/** A time after every authorization, for cases without one. */
const never = new Date('9999-01-01T00:00:00.000Z')

const sortedBy = {
  due: sql<string>`coalesce(capture_before, ${never})`,
  received: sql<string>`received_at`,
} as const satisfies Record<CaseQuery['sort'], RawBuilder<string>>

/** A page of the queue, as ids with numbers. The rows themselves are read by kind. */
export async function listCaseIds(db: Db, query: CaseQuery, reader: QueueReader) {
  const cases = () => db.selectFrom(openCases(reader).as('cases'))
  const condition = filterCondition(query.filter, reader)
  const total = cases()
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .where(condition)
    .executeTakeFirstOrThrow()
  return keysetPage(
    cases()
      .select(['id', 'kind', 'waiting', 'asked', 'cleared', 'refused', 'unchecked', 'isMine'])
      .where(condition),
    { by: sortedBy[query.sort], id: sql`id` },
    query,
    total.then(({ count }) => count),
  )
}
export type CaseId = Awaited<ReturnType<typeof listCaseIds>>['rows'][number]

/** How many cases each filter has. */
export async function countCases(db: Db, reader: QueueReader): Promise<Record<CaseFilter, number>> {
  const count = (filter: CaseFilter) =>
    sql<number>`cast(coalesce(sum(case when ${filterCondition(filter, reader)} then 1 else 0 end), 0) as integer)`.as(
      filter,
    )
  return db
    .selectFrom(openCases(reader).as('cases'))
    .select([count('new'), count('asked'), count('due'), count('mine'), count('check'), count('all')])
    .executeTakeFirstOrThrow()
}

/**
 * The cases of the queue's first tab: how many, since when the oldest waits, and how many are
 * orders.
 */
export async function sumNewCases(
  db: Db,
  reader: QueueReader,
): Promise<{ count: number; oldest: Date | null; orders: number }> {
  const row = await db
    .selectFrom(openCases(reader).as('cases'))
    .where(filterCondition('new', reader))
    .select([
      'receivedAt',
      sql<number>`cast(count(*) over () as integer)`.as('count'),
      sql<number>`cast(count(case when kind = 'order' then 1 end) over () as integer)`.as('orders'),
    ])
    .orderBy('receivedAt')
    .limit(1)
    .executeTakeFirst()
  return { count: row?.count ?? 0, oldest: row?.receivedAt ?? null, orders: row?.orders ?? 0 }
}
