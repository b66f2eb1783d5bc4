import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { NeedReviewsTable } from '../schema/search.ts'

const reviewsOf = prepareQuery((db, p: Params<{ keys: string }>) =>
  db
    .selectFrom('needReviews')
    .selectAll()
    .where(isOneOf(db, 'row_key', p.keys)),
)

/** The reviews of these rows; a row without one is left out. */
export const listNeedReviews = (db: Db, keys: readonly string[]): Promise<NeedReviewsTable[]> =>
  reviewsOf(db, { keys: JSON.stringify(keys) })

/** Stores a decision in place of an earlier one. Returns false when it was the same. */
export async function upsertNeedReview(db: Db, review: NeedReviewsTable): Promise<boolean> {
  const { status, decidedBy, decidedAt } = review
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('needReviews')
    .values(review)
    .onConflict((conflict) =>
      conflict
        .column('rowKey')
        .doUpdateSet({ status, decidedBy, decidedAt })
        .where('needReviews.status', '<>', status),
    )
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}
