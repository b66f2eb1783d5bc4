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
import { insertPreparedRows } from '#db/screening/care-tables.ts'
import { utcDay } from '#domain/days.ts'
import { careListNames, type CareListName } from '#domain/screening/care-lists.ts'
import { careFiles } from './care-files.ts'
import { rebuildMedicineNames } from './medicine-names.ts'
import { noteRecallTasks } from './note-recall-tasks.ts'
import { readCareList, sha256, type CareListRows } from './read-care-list.ts'
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
  /** `absent`: the folder has no such file. Like a failed one, it keeps the current list. */
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
  /** Leaves stock and orders alone: for the lists of a demo, whose recalls are no news. */
  skipsRecallTasks?: boolean
}

/**
 * Loads the lists of a folder: each changed file in a transaction of its own, which replaces the
 * current list. A file with a problem changes nothing. Throws CareFolderError.
 */
export async function importCareLists(
  db: Db,
  { folder, committedFolder, now, skipsRecallTasks = false }: CareImport,
): Promise<ListReport[]> {
  const files = await listFolder(folder)
  const facts = await readListFacts(folder, files)
  const defaults = folder === committedFolder ? facts : await readListFacts(committedFolder, ['lists.tsv'])
  const run: Run = { db, folder, files, now, facts, defaults, skipsRecallTasks }
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
  skipsRecallTasks: boolean
  facts: ReadonlyMap<string, ListFacts>
  defaults: ReadonlyMap<string, ListFacts>
}

async function importList(run: Run, name: CareListName): Promise<ListReport> {
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
  const list = await readCareList(name, bytes)
  const problems = list.problems.length > 0 ? list.problems : await findClassProblems(run, name, list)
  if (problems.length > 0) return { ...report, file, problems }
  await replaceList(run, name, list, {
    name,
    ...describe(run, name, list, current),
    sha256: hash,
    rowCount: list.rowCount,
    importedAt: run.now,
  })
  const outsideCatalog = name.startsWith('recalls') ? await countRecallsOutsideCatalog(run.db, name) : null
  return { ...report, file, outcome: 'imported', rows: list.rowCount, outsideCatalog }
}

/** Interactions may use only classes that have members, whichever of the two lists is newer. */
async function findClassProblems(run: Run, name: CareListName, { classes }: CareListRows): Promise<string[]> {
  if (name === 'interactions-label') {
    const { filled } = await listInteractionClasses(run.db)
    return [...classes].flatMap(([used, line]) =>
      filled.includes(used)
        ? []
        : [`line ${line}: the class "${used}" has no members in interaction-class-members`],
    )
  }
  if (name !== 'interaction-class-members') return []
  return [...(await listUsedClasses(run))].flatMap(([used, where]) =>
    classes.has(used) ? [] : [`the class "${used}" has no members, and ${where} uses it`],
  )
}

/** The classes of the folder's interactions, or of the current list when it has no valid ones. */
async function listUsedClasses({ db, folder, files }: Run): Promise<Map<string, string>> {
  const found = await readListFile(folder, files, 'interactions-label')
  const list = found?.bytes ? await readCareList('interactions-label', found.bytes) : null
  if (found && list && list.problems.length === 0)
    return new Map([...list.classes].map(([name, line]) => [name, `${found.file}, line ${line}`]))
  const { used } = await listInteractionClasses(db)
  return new Map(used.map((name) => [name, 'the current list of interactions']))
}

/** What is said of a list: by its folder, else as before, else as the committed folder has it. */
function describe(
  { facts, defaults, now }: Run,
  name: CareListName,
  { newestDay }: CareListRows,
  current: ListFacts | undefined,
): ListFacts {
  const known = facts.get(name)
  const { title, source, license } = known ??
    current ??
    defaults.get(name) ?? { title: name, source: 'Unknown', license: 'Unknown' }
  // A label can take effect after its list was made, so rows date a list only when its folder does
  // not.
  const today = utcDay(now)
  const rowsDay = newestDay !== null && newestDay > today ? today : newestDay
  return { title, source, license, listDate: known?.listDate ?? rowsDay }
}

/** Takes over what the folder says of a list whose rows stay the same. */
async function describeAgain({ db, facts }: Run, current: StoredCareList): Promise<void> {
  const known = facts.get(current.name)
  if (!known) return
  const { title, source, license } = known
  const isSame = title === current.title && source === current.source && license === current.license
  if (!isSame) await describeCareList(db, { name: current.name, title, source, license })
}

async function replaceList(
  { db, skipsRecallTasks }: Run,
  name: CareListName,
  { rows }: CareListRows,
  list: StoredCareList,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await claimCareList(tx, list))) return
    const replaceRows = async (): Promise<void> => {
      await careFiles[name].clear(tx)
      for (const prepared of rows) await insertPreparedRows(tx, prepared)
    }
    if (skipsRecallTasks) await replaceRows()
    else await noteRecallTasks(tx, { list: name, now: list.importedAt }, replaceRows)
    if (givesNames.has(name)) await refreshNames(tx)
  })
}

/** Lists that products find their ingredients by, and that typed names are recognized by. */
const givesNames: ReadonlySet<CareListName> = new Set([
  'ingredients',
  'rxnorm-brands',
  'allergy-groups',
  'allergy-label',
  'therapeutic-equivalence',
  'ingredient-names',
])

/** Waits for the names of substances, which come last when a shop first imports the lists. */
async function refreshNames(db: Db): Promise<void> {
  if (!(await lockIngredientNames(db, 'change'))) return
  await rebuildMedicineNames({ db })
  await refreshAllIngredients(db)
}
