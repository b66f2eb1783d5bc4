import type { Db } from './client.ts'

export async function countPrescriptionsOf(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('prescriptions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
