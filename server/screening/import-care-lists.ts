import type { Db } from '#db/engine/client.ts'
import {
  claimCareList,
  countRecallsOutsideCatalog,
  describeCareList,
  listCareLists,
  listInteractionClasses,
  lockIngredientNames,
  type StoredCareList,
} from '#db/screening/care-lists.ts'
import { insertCareRows } from '#db/screening/care-tables.ts'
import { careListNames, type CareListName } from '#domain/screening/care-lists.ts'
import { careColumns, type CareRow } from '#domain/screening/care-rows.ts'
import { careFiles, type InteractionClasses } from './care-files.ts'
import { rebuildMedicineNames } from './medicine-names.ts'
import { parseCareFile, sha256, type ParsedFile, type ParsedLine } from './parse-care-file.ts'
import {
  CareFolderError,
  listFolder,
  readListFacts,
  readListFile,
  type ListFacts,
} from './read-care-folder.ts'
import { completeIngredients, refreshAllIngredients } from './refresh-product-ingredients.ts'

/** What an import did with one list. */
export type ListReport = {
  name: CareListName
  /** `absent`: the folder has no such file. Like a failed one, it leaves the list in force. */
  outcome: 'imported' | 'unchanged' | 'absent' | 'failed'
  /** The file's name; null when it is absent. */
  file: string | null
  rows: number
  /** What is wrong with the file, each with its line. */
  problems: string[]
  /** How many of a list's recalls have no package in the catalog. They are kept. */
  outsideCatalog: number | null
}

export type CareImport = {
  folder: string
  /** The folder that the project commits: it describes lists that `folder` does not describe. */
  committedFolder: string
  now: Date
}

/**
 * Loads the lists of a folder: each changed file in a transaction of its own, which replaces the
 * list in force. A file with a problem changes nothing. Throws CareFolderError.
 */
export async function importCareLists(
  db: Db,
  { folder, committedFolder, now }: CareImport,
): Promise<ListReport[]> {
  const files = await listFolder(folder)
  const facts = await readListFacts(folder, files)
  const defaults = folder === committedFolder ? facts : await readListFacts(committedFolder, ['lists.tsv'])
  const run: Run = { db, folder, files, now, facts, defaults }
  const reports: ListReport[] = []
  for (const name of careListNames) reports.push(await importList(run, name))
  if (reports.every(({ outcome }) => outcome === 'absent'))
    throw new CareFolderError(`The folder ${folder} has none of the lists, such as recalls.tsv.gz.`)
  await completeIngredients(db)
  return reports
}

type Run = {
  db: Db
  folder: string
  files: readonly string[]
  now: Date
  facts: ReadonlyMap<string, ListFacts>
  defaults: ReadonlyMap<string, ListFacts>
}

async function importList<Name extends CareListName>(run: Run, name: Name): Promise<ListReport> {
  const report: ListReport = {
    name,
    outcome: 'failed',
    file: null,
    rows: 0,
    problems: [],
    outsideCatalog: null,
  }
  const found = await readListFile(run.folder, run.files, name)
  if (!found) return { ...report, outcome: 'absent' }
  const { file, bytes } = found
  if (!bytes) return { ...report, file, problems: [found.problem ?? ''] }
  const current = (await listCareLists(run.db)).find((list) => list.name === name)
  const hash = sha256(bytes)
  if (current?.sha256 === hash) {
    await describeAgain(run, current)
    return { ...report, file, outcome: 'unchanged', rows: current.rowCount }
  }
  const { rows, problems } = await parseList(name, bytes)
  if (problems.length === 0) problems.push(...(await checkRows(run, name, rows)))
  if (problems.length > 0) return { ...report, file, problems }
  await replaceList(run.db, name, rows, {
    name,
    ...describe(run, name, rows, current),
    sha256: hash,
    rowCount: rows.length,
    importedAt: run.now,
  })
  const outsideCatalog = name.startsWith('recalls') ? await countRecallsOutsideCatalog(run.db, name) : null
  return { ...report, file, outcome: 'imported', rows: rows.length, outsideCatalog }
}

/** A file that is as wrong as this has the wrong content. */
const maxProblems = 20

const parseList = <Name extends CareListName>(
  name: Name,
  bytes: Uint8Array,
): Promise<ParsedFile<CareRow<Name>>> => parseCareFile(bytes, careColumns[name], careFiles[name].keyOf)

async function checkRows<Name extends CareListName>(
  run: Run,
  name: Name,
  rows: readonly ParsedLine<CareRow<Name>>[],
): Promise<string[]> {
  const { check } = careFiles[name]
  if (!check) return []
  return check(rows, await loadClasses(run)).slice(0, maxProblems)
}

/** The classes of the folder's interactions, or of those in force when it has no valid ones. */
async function loadClasses({ db, folder, files }: Run): Promise<InteractionClasses> {
  const { used, filled } = await listInteractionClasses(db)
  const found = await readListFile(folder, files, 'interactions-label')
  const parsed = found?.bytes ? await parseList('interactions-label', found.bytes) : null
  if (!found || !parsed || parsed.problems.length > 0)
    return { used: new Map(used.map((name) => [name, 'the list of interactions'])), filled: new Set(filled) }
  const byClass = new Map<string, string>()
  for (const { line, row } of parsed.rows)
    if (row.object_kind === 'class' && !byClass.has(row.object))
      byClass.set(row.object, `${found.file}, line ${line}`)
  return { used: byClass, filled: new Set(filled) }
}

/** What is said of a list: by its folder, else as before, else as the committed folder has it. */
function describe<Name extends CareListName>(
  { facts, defaults }: Run,
  name: Name,
  rows: readonly ParsedLine<CareRow<Name>>[],
  current: ListFacts | undefined,
): ListFacts {
  const known = facts.get(name)
  const { title, source, license } = known ??
    current ??
    defaults.get(name) ?? { title: name, source: 'Unknown', license: 'Unknown' }
  const { dayOf } = careFiles[name]
  const days = [known?.listDate ?? null, ...(dayOf ? rows.map(({ row }) => dayOf(row)) : [])]
  const listDate = days.reduce((newest, day) => (day !== null && day > (newest ?? '') ? day : newest), null)
  return { title, source, license, listDate }
}

/** Takes over what the folder says of a list whose rows stay the same. */
async function describeAgain({ db, facts }: Run, current: StoredCareList): Promise<void> {
  const known = facts.get(current.name)
  if (!known) return
  const { title, source, license } = known
  const isSame = title === current.title && source === current.source && license === current.license
  if (!isSame) await describeCareList(db, { name: current.name, title, source, license })
}

async function replaceList<Name extends CareListName>(
  db: Db,
  name: Name,
  rows: readonly ParsedLine<CareRow<Name>>[],
  list: StoredCareList,
): Promise<void> {
  const file = careFiles[name]
  await db.transaction().execute(async (tx) => {
    if (!(await claimCareList(tx, list))) return
    await file.clear(tx)
    await insertCareRows(tx, file.toRows(rows))
    if (givesNames.has(name)) await refreshNames(tx)
  })
}

/** Lists that products find their ingredients by, and that typed names are recognized by. */
const givesNames: ReadonlySet<CareListName> = new Set([
  'ingredients',
  'rxnorm-brands',
  'allergy-groups',
  'allergy-label',
  'ingredient-names',
])

/** Waits for the names of substances, which come last when a shop first imports the lists. */
async function refreshNames(db: Db): Promise<void> {
  if (!(await lockIngredientNames(db, 'change'))) return
  await refreshAllIngredients(db)
  await rebuildMedicineNames({ db })
}
