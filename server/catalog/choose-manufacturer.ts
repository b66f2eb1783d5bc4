import {
  findManufacturerName,
  findManufacturers,
  listManufacturerNames,
  type ManufacturerName,
} from '#db/manufacturers.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'

/** Up to this many makers the form lists them all; past it, one types and chooses. */
const listedManufacturers = 200
const suggested = 12

export type ManufacturerChoice = {
  /** All makers, or null when there are too many to list. */
  all: ManufacturerName[] | null
  /** The one that is chosen now. */
  chosen: ManufacturerName | null
}

export async function manufacturerChoice(
  ctx: Context,
  chosenId: string | undefined,
): Promise<ManufacturerChoice> {
  const some = await listManufacturerNames(ctx.db, { after: null, limit: listedManufacturers + 1 })
  const name = chosenId && isId(chosenId) ? await findManufacturerName(ctx.db, chosenId) : null
  return {
    all: some.length > listedManufacturers ? null : some,
    chosen: chosenId && name ? { id: chosenId, name } : null,
  }
}

/** Makers whose names have a word that begins so. */
export const suggestManufacturers = (ctx: Context, typed: string): Promise<ManufacturerName[]> =>
  findManufacturers(ctx.db, typed, suggested)

/** All makers' ids and names, in order. */
export const listManufacturers = (ctx: Context): Promise<ManufacturerName[]> =>
  listManufacturerNames(ctx.db, { after: null, limit: null })
