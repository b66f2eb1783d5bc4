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
import { requirePermission } from '../require-user.ts'

/** Up to this many manufacturers the form lists them all. With more it is a combobox. */
const maxListed = 200
const maxSuggestions = 12

export type ManufacturerPicker = {
  /** All manufacturers, or null when there are too many to list. */
  all: ManufacturerName[] | null
  /** The selected manufacturer. */
  selected: ManufacturerName | null
}

/**
 * The manufacturers to choose from. `idOrName` is an id or, from the form without scripts, the
 * start of a name.
 */
export async function getManufacturerPicker(
  ctx: Context,
  idOrName: string | undefined,
): Promise<ManufacturerPicker> {
  const some = await listManufacturerNames(ctx.db, maxListed + 1)
  return {
    all: some.length > maxListed ? null : some,
    selected: idOrName ? await resolveManufacturer(ctx, idOrName) : null,
  }
}

/** The manufacturer with this id or name. For a prefix, the first match. */
async function resolveManufacturer(ctx: Context, idOrName: string): Promise<ManufacturerName | null> {
  if (isId(idOrName)) {
    const name = await findManufacturerName(ctx.db, idOrName)
    return name ? { id: idOrName, name } : null
  }
  const found = await suggestManufacturers(ctx, idOrName)
  return found.find(({ name }) => fold(name) === fold(idOrName)) ?? found[0] ?? null
}

/** Manufacturers with a name word that starts with the query. */
export const suggestManufacturers = (ctx: Context, query: string): Promise<ManufacturerName[]> =>
  findManufacturers(ctx.db, query, maxSuggestions)

/** Ids and names of all manufacturers, by name. */
export const listManufacturers = (ctx: Context): Promise<ManufacturerName[]> => listManufacturerNames(ctx.db)

/** All manufacturers with their addresses, by name. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listManufacturerDetails(ctx: Context): Promise<Manufacturer[]> {
  requirePermission(ctx, 'catalog.write')
  return listDetails(ctx.db)
}
