import { insertImport, insertImportLines, updateImport } from '#db/catalog/csv-imports.ts'
import { newId } from '#domain/ids.ts'
import { typedLine } from '#domain/typed-text.ts'
import { requireAdmin } from '../../require-user.ts'
import type { Context } from '../../context.ts'
import { unbroken } from '../../files/unbroken.ts'
import { readCsv } from './read-csv.ts'

/**
 * Takes a file of variants, prices or stock: keeps its lines as it comes, in short transactions, and changes nothing of the catalogue.
 * Returns the import's id. Throws UNAUTHENTICATED, FORBIDDEN, and what `readCsv` throws; nothing is shown of the file then.
 */
export async function receiveCsv(
  ctx: Context,
  { fileName, body }: { fileName: string; body: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { id: actorId } = requireAdmin(ctx)
  const id = newId(ctx.now.getTime())
  let rowCount = 0
  try {
    for await (const piece of readCsv(unbroken(body))) {
      if ('names' in piece) {
        const header = JSON.stringify(piece.names)
        await insertImport(ctx.db, { id, actorId, fileName: nameOf(fileName), header, now: ctx.now })
      } else {
        await insertImportLines(ctx.db, id, piece)
        rowCount += piece.length
      }
    }
  } catch (error) {
    await updateImport(ctx.db, { id, status: 'discarded', now: ctx.now })
    throw error
  }
  await updateImport(ctx.db, { id, status: 'received', rowCount, now: ctx.now })
  return id
}

const nameOf = (fileName: string): string => typedLine(fileName).slice(0, 200) || 'file.csv'
