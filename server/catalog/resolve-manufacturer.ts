import {
  findManufacturerName,
  findManufacturers,
  listManufacturerDetails as listDetails,
  listManufacturerNames,
  type ManufacturerName,
} from '#db/catalog/manufacturers.ts'
import { isId } from '#domain/ids.ts'
import type { Manufacturer } from '#domain/catalog/manufacturer-fields.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '#server/context.ts'
import { requireAdmin } from '../require-user.ts'

/** Up to this many makers the form lists them all; past it, one types and chooses. */
const listedManufacturers = 200
const suggested = 12

export type ManufacturerChoice = {
  /** All makers, or null when there are too many to list. */
  all: ManufacturerName[] | null
  /** The one that is chosen now. */
  chosen: ManufacturerName | null
}

/** The makers to choose from. `asked` is an id or, where nobody could choose one, what was typed of a name. */
export async function manufacturerChoice(
  ctx: Context,
  asked: string | undefined,
): Promise<ManufacturerChoice> {
  const some = await listManufacturerNames(ctx.db, listedManufacturers + 1)
  return {
    all: some.length > listedManufacturers ? null : some,
    chosen: asked ? await findManufacturer(ctx, asked) : null,
  }
}

/** The maker with this id or name; of a name's beginning, the first that has it. */
async function findManufacturer(ctx: Context, asked: string): Promise<ManufacturerName | null> {
  if (isId(asked)) {
    const name = await findManufacturerName(ctx.db, asked)
    return name ? { id: asked, name } : null
  }
  const found = await suggestManufacturers(ctx, asked)
  return found.find(({ name }) => fold(name) === fold(asked)) ?? found[0] ?? null
}

/** Makers whose names have a word that begins so. */
export const suggestManufacturers = (ctx: Context, typed: string): Promise<ManufacturerName[]> =>
  findManufacturers(ctx.db, typed, suggested)

/** All makers' ids and names, in order. */
export const listManufacturers = (ctx: Context): Promise<ManufacturerName[]> => listManufacturerNames(ctx.db)

/** All makers with their addresses, in order. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listManufacturerDetails(ctx: Context): Promise<Manufacturer[]> {
  requireAdmin(ctx)
  return listDetails(ctx.db)
}
