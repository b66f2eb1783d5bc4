import type { Db } from '../engine/client.ts'

/** The second factor of a user, on, begun or neither; null when the user is gone. */
export async function findSecondFactor(db: Db, userId: string) {
  const row = await db
    .selectFrom('users')
    .select(['sealedTotpSecret', 'totpConfirmedAt'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps the secret of a second factor that begins; one that was begun before, or is on, stays as it is. */
export async function insertTotpSecret(
  db: Db,
  { userId, sealedSecret }: { userId: string; sealedSecret: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ sealedTotpSecret: sealedSecret })
    .where('id', '=', userId)
    .where('sealedTotpSecret', 'is', null)
    .execute()
}

/** Turns a second factor on, unless it is on or another was begun meanwhile: then false. `step` is its code's. */
export async function confirmTotp(
  db: Db,
  { userId, sealedSecret, step, now }: { userId: string; sealedSecret: string; step: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ totpConfirmedAt: now, totpLastStep: step })
    .where('id', '=', userId)
    .where('sealedTotpSecret', '=', sealedSecret)
    .where('totpConfirmedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses a code's time step up: of any number who come with it at once, one gets it, and none before it counts any more. */
export async function takeTotpStep(
  db: Db,
  { userId, step }: { userId: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ totpLastStep: step })
    .where('id', '=', userId)
    .where('totpConfirmedAt', 'is not', null)
    .where((eb) => eb.or([eb('totpLastStep', 'is', null), eb('totpLastStep', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Forgets a second factor, on or begun. */
export async function deleteSecondFactor(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ sealedTotpSecret: null, totpConfirmedAt: null, totpLastStep: null })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
}

/** Gives a user these recovery codes in place of all others. */
export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  codeHashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await db
    .insertInto('recoveryCodes')
    .values(codeHashes.map((codeHash) => ({ userId, codeHash })))
    .execute()
}

/** Uses a recovery code up; false when it is none of the user's, or no longer. */
export async function takeRecoveryCode(
  db: Db,
  { userId, codeHash }: { userId: string; codeHash: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number | bigint | string>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
