import {
  deleteOldCaseDrafts,
  findCaseDraft,
  listCaseViewers,
  lockCaseDraft,
  replaceCaseDraft,
  saveCaseDraft,
  touchCase,
} from '#db/dispensing/case-drafts.ts'
import { findOrder } from '#db/orders/orders.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { draftFieldsSchema, type DraftInput } from '#domain/dispensing/case-inputs.ts'
import { hasFields, mergeDraft, withDraftPart, withOpenParts } from '#domain/dispensing/draft-fields.ts'
import type { ReviewCase, StoredDraft } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { parseInput } from '#domain/parse-input.ts'
import { getStaffNames } from '../accounts/get-staff-names.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { inTransaction, type Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { requirePharmacist } from '../dispensing/require-pharmacist.ts'
import { requirePermission } from '../require-user.ts'
import { openDraft, sealDraft } from './sealed-draft.ts'

/** How long after opening a case, or its last call, a pharmacist counts as a viewer. */
const viewerMs = 2 * 60_000
/** How long a draft is kept after its case was last opened. */
const draftMs = 30 * 24 * 3600_000

/** The customer of a case: of an order, or of a prescription without one. */
async function findPatient(ctx: Context, caseId: string): Promise<string> {
  const row = isId(caseId)
    ? ((await findOrder(ctx.db, caseId)) ?? (await findPrescription(ctx.db, caseId)))
    : null
  if (!row || row.userId === null) throw new AppError('NOT_FOUND')
  return row.userId
}

/**
 * Keeps what a pharmacist has typed into a case so far, sealed with the patient's key. Blank fields
 * are not kept; without any the draft is deleted. Two tabs of one pharmacist each replace what was
 * changed in them; the last one wins for what both have changed. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, REASON_REQUIRED, CONFLICT for their own, and INVALID for a draft that grows too long.
 */
export async function saveDraft(ctx: Context, input: DraftInput): Promise<{ savedAt: string }> {
  const { caseId, fields, changed } = input
  requirePermission(ctx, 'prescriptions.clear')
  const patientId = await findPatient(ctx, caseId)
  const { id: userId } = await requirePharmacist(ctx, { userId: patientId, objectId: caseId })
  await requireRecordAccess(ctx, patientId)
  const key = await openUserKey(ctx, patientId)
  if (!key) throw new AppError('NOT_FOUND')
  const filled = Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''))
  const row = { caseId, userId, patientId, seenAt: ctx.now }
  await inTransaction(ctx, async ({ db }) => {
    // There is a row to lock, also for the first draft.
    await touchCase(db, row)
    const locked = await lockCaseDraft(db, row)
    const stored = locked?.sealedDraft
      ? openDraft(key, { caseId, userId, sealedDraft: locked.sealedDraft })
      : {}
    const merged = changed ? parseInput(draftFieldsSchema, mergeDraft(stored, filled, changed)) : filled
    await saveCaseDraft(db, { ...row, sealedDraft: sealFields(key, row, merged) })
  })
  return { savedAt: ctx.now.toISOString() }
}

/** A draft without fields is none. */
const sealFields = (
  key: KeyRing,
  of: { caseId: string; userId: string },
  fields: Record<string, string>,
): string | null => (hasFields(fields) ? sealDraft(key, of, fields) : null)

/** The signed-in pharmacist's draft of a case, or null. Not audited: the caller reads the case. */
export async function findDraft(ctx: Context, caseId: string): Promise<StoredDraft | null> {
  const { id: userId } = requirePermission(ctx, 'prescriptions.review')
  const row = await findCaseDraft(ctx.db, { caseId, userId })
  const key = row?.sealedDraft ? await openUserKey(ctx, row.patientId) : null
  if (!row?.sealedDraft || !key) return null
  const { sealedDraft } = row
  return { fields: openDraft(key, { caseId, userId, sealedDraft }), savedAt: row.seenAt.toISOString() }
}

/**
 * The draft that a case was read with, without the reasons and notes whose form the case no longer
 * has. Also deletes them: nothing on the page could, and the queue would show the draft for ever.
 * @param key the patient's
 */
export async function dropClosedParts(
  { db }: Pick<Context, 'db'>,
  key: KeyRing,
  draft: StoredDraft | null,
  { userId, ...reviewCase }: Omit<ReviewCase, 'draft'> & { userId: string },
): Promise<StoredDraft | null> {
  const { id: caseId } = reviewCase
  if (!draft) return null
  const fields = withOpenParts(draft.fields, reviewCase)
  if (Object.keys(fields).length === Object.keys(draft.fields).length) return draft
  const row = await findCaseDraft(db, { caseId, userId })
  if (row?.sealedDraft) {
    const stored = openDraft(key, { caseId, userId, sealedDraft: row.sealedDraft })
    const sealedDraft = sealFields(key, { caseId, userId }, withOpenParts(stored, reviewCase))
    await replaceCaseDraft(db, row, { sealedDraft })
  }
  return hasFields(fields) ? { ...draft, fields } : null
}

/**
 * Deletes one part of a pharmacist's draft, in the transaction that stores what it was for. The
 * other parts stay.
 * @param key the patient's
 */
export async function deleteDraftPart(
  { db, now }: Pick<Context, 'db' | 'now'>,
  key: KeyRing,
  { caseId, userId, part }: { caseId: string; userId: string; part: string },
): Promise<void> {
  const row = await lockCaseDraft(db, { caseId, userId })
  if (!row?.sealedDraft) return
  const draft = openDraft(key, { caseId, userId, sealedDraft: row.sealedDraft })
  const sealedDraft = sealFields(key, { caseId, userId }, withDraftPart(draft, part, {}))
  await saveCaseDraft(db, { ...row, sealedDraft, seenAt: now })
}

/**
 * Records that the signed-in pharmacist is viewing a case, and returns the names of the other
 * viewers. Call it again at least every two minutes. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function listViewers(ctx: Context, caseId: string): Promise<string[]> {
  const { id: userId } = requirePermission(ctx, 'prescriptions.review')
  const patientId = await findPatient(ctx, caseId)
  await touchCase(ctx.db, { caseId, userId, patientId, seenAt: ctx.now })
  return (await readViewers(ctx, [caseId])).get(caseId) ?? []
}

/** The names of other staff who are viewing these cases, by case. */
export async function readViewers(ctx: Context, caseIds: readonly string[]): Promise<Map<string, string[]>> {
  const userId = ctx.user?.id ?? ''
  const since = new Date(ctx.now.getTime() - viewerMs)
  const rows = await listCaseViewers(ctx.db, { caseIds, userId, since })
  const names = await getStaffNames(
    ctx,
    rows.map((row) => row.userId),
  )
  const viewers = new Map<string, string[]>()
  for (const row of rows) {
    const name = names.get(row.userId)
    if (name !== undefined) viewers.set(row.caseId, [...(viewers.get(row.caseId) ?? []), name])
  }
  return viewers
}

/** Deletes the rows of former viewers, and drafts of cases that were not opened for a month. */
export const deleteOldDrafts = ({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> =>
  deleteOldCaseDrafts(db, {
    viewsBefore: new Date(now.getTime() - viewerMs),
    draftsBefore: new Date(now.getTime() - draftMs),
  })
