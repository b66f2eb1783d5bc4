import type { Db } from '../engine/client.ts'

/** A user's second factor: on, pending or off. Null when the user was deleted. */
export async function findSecondFactor(db: Db, userId: string) {
  const row = await db
    .selectFrom('users')
    .select(['sealedTotpSecret', 'totpStartedAt', 'totpConfirmedAt'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Stores the secret of a pending second factor instead of an earlier one. One that is on stays. */
export async function savePendingTotp(
  db: Db,
  { userId, sealedSecret, now }: { userId: string; sealedSecret: string; now: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ sealedTotpSecret: sealedSecret, totpStartedAt: now })
    .where('id', '=', userId)
    .where('totpConfirmedAt', 'is', null)
    .execute()
}

/** Deletes the secret of a second factor that is not on. */
export async function deletePendingTotp(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ sealedTotpSecret: null, totpStartedAt: null })
    .where('id', '=', userId)
    .where('totpConfirmedAt', 'is', null)
    .execute()
}

/**
 * Turns a second factor on. False when it is already on or its secret has been replaced. `step` is
 * the time step of the code.
 */
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

/**
 * Consumes a code's time step: of concurrent requests one gets it, and no earlier step counts
 * anymore.
 */
export async function consumeTotpStep(
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

/** Deletes a second factor with its recovery codes. */
export async function deleteSecondFactor(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ sealedTotpSecret: null, totpStartedAt: null, totpConfirmedAt: null, totpLastStep: null })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
}

/** Replaces a user's recovery codes. */
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

/** Consumes a recovery code; false when it is not a valid code of this user. */
export async function consumeRecoveryCode(
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
