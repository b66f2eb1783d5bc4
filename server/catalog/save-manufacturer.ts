import {
  deleteManufacturer as deleteRow,
  findManufacturer,
  forgetManufacturer,
  insertManufacturer,
  listManufacturerRows,
  updateManufacturer as updateRow,
} from '#db/catalog/manufacturers.ts'
import { isForeignKeyViolation, isUniqueViolation } from '#db/engine/sql.ts'
import { shopItself } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import type { GridPage } from '#domain/grid.ts'
import { isId, newId } from '#domain/ids.ts'
import type {
  ManufacturerChanges,
  ManufacturerQuery,
  ManufacturerRow,
  NewManufacturer,
} from '#domain/catalog/manufacturer-fields.ts'
import { manufacturerInUse } from '#domain/catalog/manufacturer-messages.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'

const nameTaken = (): AppError =>
  new AppError('INVALID', undefined, { fields: { name: 'There is a manufacturer of this name.' } })

const missing = (): AppError => new AppError('NOT_FOUND', 'Manufacturer not found')

/** A page of the manufacturers for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listManufacturersPage(
  ctx: Context,
  query: ManufacturerQuery,
): Promise<GridPage<ManufacturerRow>> {
  requireAdmin(ctx)
  return listManufacturerRows(ctx.db, query)
}

/** A manufacturer. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function readManufacturer(ctx: Context, id: string): Promise<ManufacturerRow> {
  requireAdmin(ctx)
  const row = isId(id) ? await findManufacturer(ctx.db, id) : null
  if (!row) throw missing()
  return row
}

/** Adds a manufacturer. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (name) when there is one of this name. */
export async function createManufacturer(ctx: Context, said: NewManufacturer): Promise<ManufacturerRow> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => {
    const id = newId(ctx.now.getTime())
    if (!(await insertManufacturer(ctx.db, { ...said, id, now: ctx.now }))) throw nameTaken()
    await recordAudit(ctx, { action: 'manufacturer.created', subjectId: shopItself, objectId: id })
    return readManufacturer(ctx, id)
  })
}

/**
 * Changes what is said of a manufacturer; what is left out stays. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (name), and
 * CONFLICT with the row as it is when it has changed since.
 * @param version of the row that was edited; left out by those that know none
 */
export async function updateManufacturer(
  ctx: Context,
  { id, version, ...changes }: ManufacturerChanges & { id: string; version?: number | undefined },
): Promise<ManufacturerRow> {
  requireAdmin(ctx)
  try {
    return await inTransaction(ctx, async (ctx) => {
      await readManufacturer(ctx, id)
      if (!(await updateRow(ctx.db, { id, version, now: ctx.now, ...changes }))) {
        throw new AppError('CONFLICT', 'Somebody has changed this manufacturer meanwhile.', {
          current: await readManufacturer(ctx, id),
        })
      }
      await recordAudit(ctx, { action: 'manufacturer.updated', subjectId: shopItself, objectId: id })
      return readManufacturer(ctx, id)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error
  }
}

/** Deletes a manufacturer. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, CONFLICT while a variant that is offered names it. */
export async function deleteManufacturer(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx)
  try {
    await inTransaction(ctx, async (ctx) => {
      await readManufacturer(ctx, id)
      await forgetManufacturer(ctx.db, id)
      if (!(await deleteRow(ctx.db, id))) throw missing()
      await recordAudit(ctx, { action: 'manufacturer.deleted', subjectId: shopItself, objectId: id })
    })
  } catch (error) {
    throw isForeignKeyViolation(error) ? new AppError('CONFLICT', manufacturerInUse) : error
  }
}
