import type { CareList, CareListName } from '#domain/screening/care-lists.ts'
import { careManifestColumns } from '#domain/screening/care-rows.ts'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCareFile } from './parse-care-file.ts'

/** Why a folder cannot be imported at all, as a message for the terminal. */
export class CareFolderError extends Error {}

export type ListFacts = Pick<CareList, 'title' | 'source' | 'license' | 'listDate'>

const maxBytes = 64 * 2 ** 20
const manifestFile = 'lists.tsv'

/** The names of the files in a folder. Throws CareFolderError if it cannot be read. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    throw new CareFolderError(`The folder ${folder} cannot be read.`, { cause: error })
  }
}

/** What a folder's lists.tsv says of its lists; empty without one. Throws CareFolderError. */
export async function readListFacts(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, ListFacts>> {
  if (!files.includes(manifestFile)) return new Map()
  const bytes = await readFile(join(folder, manifestFile))
  const facts = new Map<string, ListFacts>()
  const { problems } = await parseCareFile(bytes, {
    columns: careManifestColumns,
    keyOf: ({ list }) => list,
    onRows: (lines) => {
      for (const { row } of lines) {
        const { list, title, source, license, date } = row
        facts.set(list, { title, source, license, listDate: date })
      }
    },
  })
  if (problems[0] !== undefined) throw new CareFolderError(`${manifestFile}, ${problems[0]}.`)
  return facts
}

/** A list's file, plain or gzipped; null when the folder has none. */
export async function readListFile(
  folder: string,
  files: readonly string[],
  name: CareListName,
): Promise<{ file: string; bytes: Buffer | null; problem: string | null } | null> {
  const [file, other] = [`${name}.tsv`, `${name}.tsv.gz`].filter((one) => files.includes(one))
  if (file === undefined) return null
  if (other !== undefined)
    return { file, bytes: null, problem: `there is a ${other} too; remove one of the two` }
  const { size } = await stat(join(folder, file))
  if (size > maxBytes) return { file, bytes: null, problem: 'the file is larger than 64 MiB' }
  return { file, bytes: await readFile(join(folder, file)), problem: null }
}
