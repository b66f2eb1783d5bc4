import {
  deleteManufacturer as deleteRow,
  findManufacturer,
  clearFromDeletedVariants,
  insertManufacturer,
  listManufacturerRows,
  updateManufacturer as updateRow,
} from '#db/catalog/manufacturers.ts'
import { indexManufacturer } from '#db/search/index-products.ts'
import { isForeignKeyViolation, isUniqueViolation } from '#db/engine/sql.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { GridPage } from '#domain/grid.ts'
import { isId, newId } from '#domain/ids.ts'
import type {
  ManufacturerChanges,
  ManufacturerQuery,
  ManufacturerRow,
  NewManufacturer,
} from '#domain/catalog/manufacturer-fields.ts'
import { manufacturerInUse } from '#domain/catalog/manufacturer-messages.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { requirePermission } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'

const duplicateName = (): AppError =>
  new AppError('INVALID', undefined, { fields: { name: 'A manufacturer with this name already exists.' } })

const notFound = (): AppError => new AppError('NOT_FOUND', 'Manufacturer not found')

/** A page of the manufacturers for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listAdminManufacturers(
  ctx: Context,
  query: ManufacturerQuery,
): Promise<GridPage<ManufacturerRow>> {
  requirePermission(ctx, 'catalog.write')
  return listManufacturerRows(ctx.reads, query)
}

/** A manufacturer. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function getManufacturer(ctx: Context, id: string): Promise<ManufacturerRow> {
  requirePermission(ctx, 'catalog.write')
  const row = isId(id) ? await findManufacturer(ctx.db, id) : null
  if (!row) throw notFound()
  return row
}

/**
 * Creates a manufacturer. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID (name) when the name is
 * taken.
 */
export async function createManufacturer(ctx: Context, input: NewManufacturer): Promise<ManufacturerRow> {
  requirePermission(ctx, 'catalog.write')
  return inTransaction(ctx, async (ctx) => {
    const id = newId(ctx.now.getTime())
    if (!(await insertManufacturer(ctx.db, { ...input, id, now: ctx.now }))) throw duplicateName()
    await recordAudit(ctx, { action: 'manufacturer.created', subjectId: shopSubjectId, objectId: id })
    return getManufacturer(ctx, id)
  })
}

/**
 * Updates a manufacturer. Fields left out stay unchanged. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, INVALID (name), and CONFLICT with the current row when it has changed since `version`.
 * @param version of the row that was edited; omitted by callers without versions
 */
export async function updateManufacturer(
  ctx: Context,
  { id, version, ...changes }: ManufacturerChanges & { id: string; version?: number | undefined },
): Promise<ManufacturerRow> {
  requirePermission(ctx, 'catalog.write')
  const { before, after } = await inTransaction(ctx, async (ctx) => {
    const before = await getManufacturer(ctx, id)
    if (!(await updateRow(ctx.db, { id, version, now: ctx.now, ...changes }))) {
      throw new StaleEditError(
        'Someone else changed this manufacturer after you opened it.',
        await getManufacturer(ctx, id),
      )
    }
    await recordAudit(ctx, { action: 'manufacturer.updated', subjectId: shopSubjectId, objectId: id })
    return { before, after: await getManufacturer(ctx, id) }
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? duplicateName() : error
  })
  if (before.name !== after.name) await indexRenamed(ctx, id)
  return after
}

/**
 * Indexes the products of a renamed manufacturer after the commit: it can have hundreds, and sales
 * would wait. The rename stays when this fails; the next import or rebuild indexes them.
 */
async function indexRenamed({ db, log, requestId }: Context, id: string): Promise<void> {
  await indexManufacturer(db, id).catch((error: unknown) => {
    log.error({ err: error, requestId, manufacturerId: id }, 'renamed manufacturer not indexed')
  })
}

/**
 * Deletes a manufacturer. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, NOT_FOUND, and CONFLICT
 * while a live variant refers to it.
 */
export async function deleteManufacturer(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'catalog.write')
  requireRecentCode(ctx)
  try {
    await inTransaction(ctx, async (ctx) => {
      await getManufacturer(ctx, id)
      await clearFromDeletedVariants(ctx.db, id)
      if (!(await deleteRow(ctx.db, id))) throw notFound()
      await recordAudit(ctx, { action: 'manufacturer.deleted', subjectId: shopSubjectId, objectId: id })
    })
  } catch (error) {
    throw isForeignKeyViolation(error) ? new AppError('CONFLICT', manufacturerInUse) : error
  }
}
