import { countLicensedPharmacists } from '#db/accounts/pharmacist-licenses.ts'
import { neededPharmacists, type SecondChecks } from '#domain/settings/second-checks.ts'
import type { Context } from '../context.ts'
import { getSettings } from '../settings/get-settings.ts'

/**
 * Who can do second checks; null in a shop that needs one pharmacist only. The caller checks
 * permissions.
 */
export async function getSecondChecks(ctx: Pick<Context, 'db' | 'shop'>): Promise<SecondChecks | null> {
  const { twoPharmacists } = await getSettings(ctx)
  return twoPharmacists ? { pharmacists: await countLicensedPharmacists(ctx.db) } : null
}

/** Whether orders with prescription medicines can't ship, because no second pharmacist is left. */
export async function lacksSecondPharmacist(ctx: Pick<Context, 'db' | 'shop'>): Promise<boolean> {
  const checks = await getSecondChecks(ctx)
  return checks !== null && checks.pharmacists < neededPharmacists
}
