import { listItems } from '#db/dispensing/items.ts'
import type { Context } from '../context.ts'

/** The ids of a user's prescriptions that a pharmacist has transcribed. */
export const listTranscribed = async ({ db }: Pick<Context, 'db'>, userId: string): Promise<Set<string>> =>
  new Set((await listItems(db, userId)).map(({ prescriptionId }) => prescriptionId))
