import {
  countLicensedPharmacists,
  findPharmacistLicense,
  replacePharmacistLicense,
} from '#db/accounts/pharmacist-licenses.ts'
import { findRoles } from '#db/accounts/users.ts'
import type { PharmacistLicense } from '#domain/accounts/pharmacist-license.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { formerStaff, getStaffNames } from './get-staff-names.ts'
import { lockActorAndUser } from './lock-actor.ts'
import { requireRecentCode } from './recent-code.ts'

/**
 * The license to practice of a user; null when none is recorded. The caller checks permissions: a
 * license alone allows nothing.
 */
export async function findLicense(
  ctx: Pick<Context, 'db'>,
  userId: string,
): Promise<PharmacistLicense | null> {
  const row = await findPharmacistLicense(ctx.db, userId)
  return row && { number: row.number, jurisdiction: row.jurisdiction }
}

export type RecordedLicense = PharmacistLicense & { recordedBy: string; recordedAt: string }

/** A user's license with who recorded it and when. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function getLicense(ctx: Context, userId: string): Promise<RecordedLicense | null> {
  requirePermission(ctx, 'roles.manage')
  const row = await findPharmacistLicense(ctx.db, userId)
  if (!row) return null
  const { number, jurisdiction, recordedBy, recordedAt } = row
  const names = await getStaffNames(ctx, [recordedBy])
  return {
    number,
    jurisdiction,
    recordedBy: names.get(recordedBy) ?? formerStaff,
    recordedAt: recordedAt.toISOString(),
  }
}

const ownLicenseMessage = 'You can’t change your own license. Ask another admin.'
const notPharmacistMessage = 'This user isn’t a pharmacist. Give them the role first.'
const staleMessage = 'Another admin has changed this license. Check it, then save again.'

/**
 * Records the license of a pharmacist, in place of `before` or as the first. Staff do not record
 * their own. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, NOT_FOUND and CONFLICT.
 */
export const recordLicense = (
  ctx: Context,
  { userId, before, ...license }: PharmacistLicense & { userId: string; before: PharmacistLicense | null },
): Promise<void> =>
  changeLicense(ctx, userId, async (ctx, actorId) => {
    const roles = (await findRoles(ctx.db, userId)) ?? []
    if (!roles.includes('pharmacist')) throw new AppError('CONFLICT', notPharmacistMessage)
    const row = { userId, ...license, recordedBy: actorId, recordedAt: ctx.now }
    if (!(await replacePharmacistLicense(ctx.db, row, before))) throw new AppError('CONFLICT', staleMessage)
    await recordAudit(ctx, { action: 'license.recorded', subjectId: userId })
  })

/** Changes a license in a transaction, with the user locked. Staff do not change their own. */
export async function changeLicense(
  ctx: Context,
  userId: string,
  change: (ctx: Context, actorId: string) => Promise<void>,
): Promise<void> {
  const actor = requirePermission(ctx, 'roles.manage')
  requireRecentCode(ctx)
  await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, userId, 'roles.manage')
    if (userId === actor.id) throw new AppError('CONFLICT', ownLicenseMessage)
    await change(ctx, actor.id)
  })
}

/** How many active pharmacists have a recorded license. Throws UNAUTHENTICATED, FORBIDDEN. */
export function countActivePharmacists(ctx: Context): Promise<number> {
  requirePermission(ctx, 'settings.write')
  return countLicensedPharmacists(ctx.db)
}
