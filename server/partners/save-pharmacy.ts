import {
  findPharmacyRow,
  insertPharmacy,
  listPharmacies as listRows,
  listPharmacyRows,
  listPharmaciesExpiringBy,
  updatePharmacy as updateRow,
} from '#db/partners/pharmacies.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isSame } from '#domain/is-same.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { GridPage } from '#domain/grid.ts'
import { isId, newId } from '#domain/ids.ts'
import type {
  NewPharmacy,
  Pharmacy,
  PharmacyChanges,
  PharmacyQuery,
  PharmacyRow,
} from '#domain/partners/pharmacy-fields.ts'
import { lastWarningDay } from '#domain/partners/pharmacy-messages.ts'
import { requirePermission } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'

/** All partner pharmacies, by name. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listPharmacies(ctx: Context): Promise<Pharmacy[]> {
  requirePermission(ctx, 'pharmacies.write')
  return listRows(ctx.db)
}

/** A page of pharmacies for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listPharmaciesPage(ctx: Context, query: PharmacyQuery): Promise<GridPage<PharmacyRow>> {
  requirePermission(ctx, 'pharmacies.write')
  return listPharmacyRows(ctx.reads, query)
}

/** A pharmacy whose license has expired or expires soon. */
export type ExpiringPharmacy = Pick<Pharmacy, 'id' | 'name' | 'licenseExpiry'>

/**
 * The active pharmacies with an expired or expiring license, most urgent first. Throws
 * UNAUTHENTICATED, FORBIDDEN.
 */
export async function listExpiringPharmacies(ctx: Context): Promise<ExpiringPharmacy[]> {
  requirePermission(ctx, 'pharmacies.write')
  return listPharmaciesExpiringBy(ctx.db, lastWarningDay(ctx.now))
}

/**
 * Creates a pharmacy. Calls with the same `requestKey` create it once and return the same row.
 * Throws UNAUTHENTICATED, FORBIDDEN, and CONFLICT when the key belongs to a pharmacy with other
 * values.
 */
export async function createPharmacy(
  ctx: Context,
  { requestKey, ...input }: NewPharmacy & { requestKey?: string | undefined },
): Promise<PharmacyRow> {
  requirePermission(ctx, 'pharmacies.write')
  return inTransaction(ctx, async (ctx) => {
    const id = requestKey ?? newId(ctx.now.getTime())
    if (!(await insertPharmacy(ctx.db, { ...input, id, now: ctx.now }))) {
      const earlier = await requirePharmacy(ctx, id)
      if (isSame(earlier, { ...earlier, ...input })) return earlier
      const sentence = `This form already created the pharmacy ${earlier.name}. Reload the page to edit it.`
      throw new AppError('CONFLICT', sentence)
    }
    await recordAudit(ctx, { action: 'pharmacy.created', subjectId: shopSubjectId, objectId: id })
    return requirePharmacy(ctx, id)
  })
}

/**
 * Updates a pharmacy; omitted fields keep their values. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, and CONFLICT with the current row when the stored row has another version.
 * @param version the version that the edit started from
 */
export async function updatePharmacy(
  ctx: Context,
  { id, version, ...changes }: PharmacyChanges & { id: string; version: number },
): Promise<PharmacyRow> {
  requirePermission(ctx, 'pharmacies.write')
  return inTransaction(ctx, async (ctx) => {
    await requirePharmacy(ctx, id)
    if (!(await updateRow(ctx.db, { id, version, now: ctx.now, ...changes }))) {
      throw new StaleEditError(
        'Someone else changed this pharmacy after you opened it.',
        await requirePharmacy(ctx, id),
      )
    }
    await recordAudit(ctx, { action: 'pharmacy.updated', subjectId: shopSubjectId, objectId: id })
    return requirePharmacy(ctx, id)
  })
}

async function requirePharmacy(ctx: Context, id: string): Promise<PharmacyRow> {
  const row = isId(id) ? await findPharmacyRow(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'Pharmacy not found')
  return row
}
