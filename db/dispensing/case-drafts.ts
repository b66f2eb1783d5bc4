import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

type CaseKey = Pick<Schema['caseDrafts'], 'caseId' | 'userId'>

/** Records that a pharmacist is viewing a case. A draft stays. */
export async function touchCase(
  db: Db,
  look: CaseKey & Pick<Schema['caseDrafts'], 'patientId' | 'seenAt'>,
): Promise<void> {
  await db
    .insertInto('caseDrafts')
    .values({ ...look, sealedDraft: null })
    .onConflict((conflict) => conflict.columns(['caseId', 'userId']).doUpdateSet({ seenAt: look.seenAt }))
    .execute()
}

/** Stores a pharmacist's draft of a case, or removes it. */
export async function saveCaseDraft(db: Db, draft: Schema['caseDrafts']): Promise<void> {
  await db
    .insertInto('caseDrafts')
    .values(draft)
    .onConflict((conflict) =>
      conflict
        .columns(['caseId', 'userId'])
        .doUpdateSet({ seenAt: draft.seenAt, sealedDraft: draft.sealedDraft }),
    )
    .execute()
}

/** Replaces a draft, or removes it, unless it was saved again since it was read. */
export async function replaceCaseDraft(
  db: Db,
  { caseId, userId, sealedDraft }: Schema['caseDrafts'],
  changed: Pick<Schema['caseDrafts'], 'sealedDraft'>,
): Promise<void> {
  await db
    .updateTable('caseDrafts')
    .set(changed)
    .where('caseId', '=', caseId)
    .where('userId', '=', userId)
    .where('sealedDraft', '=', sealedDraft)
    .execute()
}

/** A pharmacist's draft of a case, or null. */
export async function findCaseDraft(
  db: Db,
  { caseId, userId }: CaseKey,
): Promise<Schema['caseDrafts'] | null> {
  const row = await db
    .selectFrom('caseDrafts')
    .selectAll()
    .where('caseId', '=', caseId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** The same, locked until the transaction ends: its next writer reads what this one wrote. */
export async function lockCaseDraft(
  db: Db,
  { caseId, userId }: CaseKey,
): Promise<Schema['caseDrafts'] | null> {
  const query = db
    .selectFrom('caseDrafts')
    .selectAll()
    .where('caseId', '=', caseId)
    .where('userId', '=', userId)
  const row = await (getEngine(db) === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row ?? null
}

/** Who else has viewed these cases since a time. */
export const listCaseViewers = (
  db: Db,
  { caseIds, userId, since }: { caseIds: readonly string[]; userId: string; since: Date },
): Promise<{ caseId: string; userId: string }[]> =>
  db
    .selectFrom('caseDrafts')
    .select(['caseId', 'userId'])
    .where(isOneOf(db, 'case_id', sql`${JSON.stringify(caseIds)}`))
    .where('userId', '<>', userId)
    .where('seenAt', '>=', since)
    .orderBy('seenAt', 'desc')
    .execute()

/**
 * Deletes rows without a draft that were last seen before a time, and all that were last seen
 * before another.
 */
export async function deleteOldCaseDrafts(
  db: Db,
  { viewsBefore, draftsBefore }: { viewsBefore: Date; draftsBefore: Date },
): Promise<void> {
  await db
    .deleteFrom('caseDrafts')
    .where((row) =>
      row.or([
        row.and([row('seenAt', '<', viewsBefore), row('sealedDraft', 'is', null)]),
        row('seenAt', '<', draftsBefore),
      ]),
    )
    .execute()
}

/** Which of these cases have a draft of this pharmacist. */
export async function listDraftCases(
  db: Db,
  { caseIds, userId }: { caseIds: readonly string[]; userId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('caseDrafts')
    .select('caseId')
    .where('userId', '=', userId)
    .where('sealedDraft', 'is not', null)
    .where(isOneOf(db, 'case_id', sql`${JSON.stringify(caseIds)}`))
    .execute()
  return rows.map(({ caseId }) => caseId)
}
