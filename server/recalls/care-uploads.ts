import {
  deleteCareUpload,
  deleteOldUploads,
  findCareUpload,
  insertCareUpload,
} from '#db/recalls/care-uploads.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { readCareUpload, type CareUpload } from '../screening/read-care-upload.ts'
import { sha256 } from '../screening/read-care-list.ts'
import {
  compareShortages,
  compareUpload,
  isCurrentList,
  writeCareUpload,
  type ValidUpload,
} from '../screening/write-care-upload.ts'
import { applyRecalls, type RecallResult } from './apply-recalls.ts'
import { previewRecalls, type RecallsPreview } from './preview-recalls.ts'

/** How long a file waits for its import. */
const keepMs = 24 * 3600 * 1000

const fieldError = (message: string): AppError =>
  new AppError('INVALID', undefined, { fields: { file: message } })

/** What is wrong with a file, each problem on a line of its own. */
const problemsOf = ({ problems }: CareUpload): string => problems.join('\n')

const isValid = (upload: CareUpload): upload is ValidUpload =>
  upload.list !== null && upload.problems.length === 0

/**
 * Keeps a file of recalls or shortages for its preview. Nothing of it counts yet. Returns its id.
 * Throws UNAUTHENTICATED, FORBIDDEN, and INVALID (file) with each problem and its line or entry.
 */
export async function storeCareUpload(
  ctx: Context,
  { fileName, body }: { fileName: string; body: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { id: createdBy } = requirePermission(ctx, 'settings.write')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (bytes.length === 0) throw fieldError('The file is empty.')
  const upload = await readCareUpload(ctx.db, bytes)
  if (!isValid(upload)) throw fieldError(problemsOf(upload))
  const id = newId(ctx.now.getTime())
  const content = (await promisify(gzip)(bytes)).toString('base64')
  await deleteOldUploads(ctx.db, new Date(ctx.now.getTime() - keepMs))
  await insertCareUpload(ctx.db, {
    id,
    fileName: fileName.slice(0, 200),
    content,
    createdBy,
    createdAt: ctx.now,
  })
  return id
}

async function openUpload(ctx: Context, id: string) {
  const row = isId(id) ? await findCareUpload(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'This file was imported or discarded.')
  const bytes = await promisify(gunzip)(Buffer.from(row.content, 'base64'))
  const upload = await readCareUpload(ctx.db, bytes)
  // The list of names may have changed, but not what makes a file valid.
  if (!isValid(upload)) throw new AppError('CONFLICT', problemsOf(upload))
  return { row, upload, hash: sha256(bytes) }
}

/** What an import of a file would do. */
export type CareUploadPreview = {
  id: string
  fileName: string
  list: ValidUpload['list']
  mode: ValidUpload['mode']
  rowCount: number
  withoutNdc: number
  unclassified: number
  newestDay: string | null
  changes: { added: number; changed: number; removed: number; same: number }
  /** Null for shortages, and for the file that is the current list. */
  effects: RecallsPreview | null
}

/**
 * What an import of a stored file would do, by the functions that do it. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND.
 */
export async function previewCareUpload(ctx: Context, id: string): Promise<CareUploadPreview> {
  requirePermission(ctx, 'settings.write')
  const { row, upload, hash } = await openUpload(ctx, id)
  const { list, mode, rowCount, withoutNdc, unclassified, newestDay } = upload
  const leftOut = { withoutNdc, unclassified }
  const shown = { id, fileName: row.fileName, list, mode, rowCount, ...leftOut, newestDay }
  if (await isCurrentList(ctx.db, upload, hash))
    return { ...shown, changes: { added: 0, changed: 0, removed: 0, same: rowCount }, effects: null }
  if (list === 'shortages')
    return { ...shown, changes: await compareShortages(ctx.db, upload), effects: null }
  const { added, changed, removed, after } = await compareUpload(ctx.db, upload)
  const news = new Set([...added, ...changed])
  const changes = {
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    same: after.length - news.size,
  }
  return {
    ...shown,
    changes,
    effects: await previewRecalls(
      ctx,
      after.filter((recall) => news.has(recall.id)),
    ),
  }
}

/**
 * Imports a stored file, then applies its recalls. Of two requests for one file, one does. Throws
 * UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, NOT_FOUND.
 */
export async function importCareUpload(ctx: Context, id: string): Promise<RecallResult> {
  requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  const { upload, hash } = await openUpload(ctx, id)
  const changed = await inTransaction(ctx, async (ctx) => {
    if (!(await deleteCareUpload(ctx.db, id)))
      throw new AppError('NOT_FOUND', 'This file was imported or discarded.')
    const ids = await writeCareUpload(ctx.db, upload, { hash, now: ctx.now })
    await recordAudit(ctx, { action: 'list.imported', subjectId: shopSubjectId, objectId: upload.list })
    return ids
  })
  return applyRecalls(ctx, changed)
}

/** Throws UNAUTHENTICATED, FORBIDDEN. */
export async function discardCareUpload(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'settings.write')
  await deleteCareUpload(ctx.db, id)
}
