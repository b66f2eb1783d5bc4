import type { Db } from '#db/engine/client.ts'
import { importCareLists } from './import-care-lists.ts'

/**
 * Loads the lists that the project commits, for the demo and for development. Returns a message
 * for the log. Throws if a file is not valid: the project commits valid ones.
 * @param folder db/seed/care
 */
export async function loadCommittedLists(db: Db, folder: string, now: Date): Promise<string> {
  const reports = await importCareLists(db, {
    folder,
    committedFolder: folder,
    now,
    skipsRecallTasks: true,
  })
  const problem = reports.flatMap(({ file, problems }) => problems.map((text) => `${file}, ${text}`))[0]
  if (problem !== undefined) throw new Error(`The committed lists are not valid: ${problem}`)
  const imported = reports.filter(({ outcome }) => outcome === 'imported').length
  return imported > 0 ? `loaded ${imported} lists for screening orders` : 'the lists for screening are loaded'
}
