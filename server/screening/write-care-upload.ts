import type { Db } from '#db/engine/client.ts'
import { claimCareList, listCareLists, mergeCareList, type StoredCareList } from '#db/screening/care-lists.ts'
import { insertPreparedRows, prepareRows } from '#db/screening/care-tables.ts'
import {
  countRows,
  deleteRecalls,
  deleteShortagesOf,
  listRecalls,
  listShortageTexts,
} from '#db/screening/recalls.ts'
import { utcDay } from '#domain/days.ts'
import { compareRecalls, type Recall, type RecallChanges } from '#domain/screening/recall.ts'
import { careFiles } from './care-files.ts'
import { noteRecallTasks } from './note-recall-tasks.ts'
import { toRecalls, type CareUpload, type UploadedList } from './read-care-upload.ts'

export type ValidUpload = CareUpload & { list: UploadedList }

const findCareList = async (db: Db, name: UploadedList): Promise<StoredCareList | undefined> =>
  (await listCareLists(db)).find((list) => list.name === name)

/** Whether a file is the current list as a whole, so that its import changes nothing. */
export const isCurrentList = async (db: Db, { list, mode }: ValidUpload, hash: string): Promise<boolean> =>
  mode === 'replace' && (await findCareList(db, list))?.sha256 === hash

/** The recalls that a file changes: those that it replaces in the current list, and its own. */
export async function compareUpload(
  db: Db,
  upload: ValidUpload,
): Promise<RecallChanges & { after: Recall[] }> {
  const after = toRecalls(upload.rows)
  const ids = after.map(({ id }) => id)
  const before = await listRecalls(db, upload.mode === 'merge' ? { ids } : { list: upload.list })
  return { ...compareRecalls(before, after), after }
}

/** How many shortages a file adds, changes and removes, by their packages. */
export async function compareShortages(
  db: Db,
  { mode, rows: { careShortages = [] } }: ValidUpload,
): Promise<{ added: number; changed: number; removed: number; same: number }> {
  const before = toTexts(await listShortageTexts(db))
  const after = toTexts(careShortages)
  const known = [...after].filter(([ndc]) => before.has(ndc))
  const changed = known.filter(([ndc, text]) => before.get(ndc) !== text).length
  return {
    added: after.size - known.length,
    changed,
    removed: mode === 'merge' ? 0 : before.size - known.length,
    same: known.length - changed,
  }
}

/** The shortages of each package as one text, to compare. */
function toTexts(
  rows: readonly { packageNdc: string; status: string; availability?: string | null; updated: string }[],
): Map<string, string> {
  const texts = new Map<string, string[]>()
  for (const { packageNdc, status, availability, updated } of rows) {
    const text = `${status} ${availability ?? ''} ${updated}`
    texts.set(packageNdc, [...(texts.get(packageNdc) ?? []), text])
  }
  return new Map([...texts].map(([ndc, list]) => [ndc, list.toSorted().join('; ')]))
}

/** How the page of lists describes a list that came first from the agency's JSON. */
const agency = {
  source: 'openFDA, U.S. Food and Drug Administration',
  license: 'Public domain (CC0 1.0)',
}

/**
 * Writes a file in the caller's transaction, and notes the recalls whose effects are to be applied.
 * Returns their ids; none when the same file of our own columns is the current list.
 */
export async function writeCareUpload(
  db: Db,
  upload: ValidUpload,
  { hash, now }: { hash: string; now: Date },
): Promise<string[]> {
  const { list: name, mode, rows, rowCount, newestDay } = upload
  const current = await findCareList(db, name)
  const today = utcDay(now)
  const described: StoredCareList = {
    name,
    title: current?.title ?? (name === 'shortages' ? 'Drug shortages' : 'Drug recalls'),
    source: current?.source ?? agency.source,
    license: current?.license ?? agency.license,
    listDate: newestDay !== null && newestDay > today ? today : newestDay,
    sha256: hash,
    rowCount,
    importedAt: now,
  }
  if (mode === 'replace' && !(await claimCareList(db, described))) return []
  // Also locks the list, so that two files do not merge at the same time.
  if (mode === 'merge') await mergeCareList(db, described)
  const named = mode === 'merge' && { ids: (rows.careRecalls ?? []).map(({ id }) => id) }
  const ids = await noteRecallTasks(db, { list: name, ...named, now }, () =>
    mode === 'replace' ? replaceRows(db, name, rows) : mergeRows(db, name, rows),
  )
  if (mode === 'merge') await mergeCareList(db, { ...described, rowCount: await countRows(db, name) })
  return ids
}

async function replaceRows(db: Db, name: UploadedList, rows: CareUpload['rows']): Promise<void> {
  await careFiles[name].clear(db)
  for (const prepared of prepareRows(rows)) await insertPreparedRows(db, prepared)
}

async function mergeRows(db: Db, name: UploadedList, rows: CareUpload['rows']): Promise<void> {
  const { careRecalls = [], careShortages = [] } = rows
  if (name !== 'shortages') {
    await deleteRecalls(
      db,
      careRecalls.map(({ id }) => id),
    )
    for (const prepared of prepareRows(rows)) await insertPreparedRows(db, prepared)
    return
  }
  const last = await deleteShortagesOf(db, [...new Set(careShortages.map(({ packageNdc }) => packageNdc))])
  const numbered = careShortages.map((row, i) => ({ ...row, line: last + i + 1 }))
  for (const prepared of prepareRows({ careShortages: numbered })) await insertPreparedRows(db, prepared)
}
