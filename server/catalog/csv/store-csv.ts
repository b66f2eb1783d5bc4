import { insertImportLines } from '#db/catalog/csv-import-lines.ts'
import { insertImport, updateImport } from '#db/catalog/csv-imports.ts'
import { newId } from '#domain/ids.ts'
import { cleanLine } from '#domain/clean-text.ts'
import { requirePermission } from '../../require-user.ts'
import type { Context } from '../../context.ts'
import { withUploadErrors } from '../../files/upload-errors.ts'
import { readCsv } from './read-csv.ts'

/**
 * Stores the lines of an uploaded CSV as they arrive, in short transactions, without changing the
 * catalog. Returns the import's id. Throws UNAUTHENTICATED, FORBIDDEN, and what `readCsv` throws; a
 * rejected file is discarded.
 */
export async function storeCsv(
  ctx: Context,
  { fileName, body }: { fileName: string; body: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { id: actorId } = requirePermission(ctx, 'catalog.write')
  const id = newId(ctx.now.getTime())
  let rowCount = 0
  try {
    for await (const part of readCsv(withUploadErrors(body))) {
      if ('names' in part) {
        await insertImport(ctx.db, {
          id,
          actorId,
          fileName: cleanFileName(fileName),
          header: part.names,
          now: ctx.now,
        })
      } else {
        await insertImportLines(ctx.db, id, part)
        rowCount += part.length
      }
    }
  } catch (error) {
    await updateImport(ctx.db, { id, status: 'discarded', now: ctx.now })
    throw error
  }
  await updateImport(ctx.db, { id, status: 'received', rowCount, now: ctx.now })
  return id
}

const cleanFileName = (fileName: string): string => cleanLine(fileName).slice(0, 200) || 'file.csv'
