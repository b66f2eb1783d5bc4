import {
  beatImport,
  claimImport,
  releaseImport,
  searchIsStale,
  setSearchIsStale,
  type Importer,
} from '#db/catalog/catalog-import.ts'
import { countTouched } from '#db/catalog/catalog-settle.ts'
import { bulkTransaction } from '#db/engine/bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { findColumns, type DirectoryKind } from './directory/columns.ts'
import { FileBroken, readLines, type Line } from './directory/read-lines.ts'
import type { ImportRun } from './import-batch.ts'
import { importPriceLines } from './import-prices.ts'
import { importUpcLines } from './import-upcs.ts'
import { importDpdLines, importNdcLines } from './import-variants.ts'
import { settleSomeProducts } from './settle-products.ts'

export type DirectoryFile = { kind: DirectoryKind; path: string }

/** Why nothing was imported, in words for the person at the terminal. */
export class ImportRefused extends Error {}

export type ImportOptions = {
  files: readonly DirectoryFile[]
  /** On hand of each new variant; 0 for none. */
  stock: number
  importer: Importer
  /** Whether the process that holds the import, on this host, still runs. */
  isAlive: (holder: Importer) => boolean
  now: Date
  onReject: (file: string, line: number, reason: string) => void
  /** Told what is done and how far, 0 to 1; and, once a read batch, how many bytes of which file. */
  onProgress: (step: string, share: number) => void
  /** The size of a file, for the progress of reading. */
  sizeOf: (path: string) => number
}

export type ImportReport = ImportRun['counts'] & {
  /** Sentences about files that broke off; empty when all were read to their end. */
  broken: string[]
}

/** Directories first, so that UPCs find their packages and prices their medicines. */
const order: readonly DirectoryKind[] = ['ndc', 'dpd', 'upc', 'nadac']
const importers = {
  ndc: importNdcLines,
  dpd: importDpdLines,
  upc: importUpcLines,
  nadac: importPriceLines,
} satisfies Record<DirectoryKind, unknown>
/** Rows in one transaction: the shop's own writes wait for no more than that. */
const rowsPerBatch = { ndc: 500, dpd: 500, upc: 500, nadac: 100 } satisfies Record<DirectoryKind, number>
const beatMs = 5000

/**
 * Imports directories into the catalogue, in short transactions: a row that stands as it is read again is not
 * touched, so that a killed import is simply run again. Throws ImportRefused, with nothing changed, when a file cannot
 * be read, its header is wrong, or another import runs.
 */
export async function importDirectories(db: Db, options: ImportOptions): Promise<ImportReport> {
  const files = options.files.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  const columns = new Map<DirectoryFile, ReadonlyMap<string, number>>()
  for (const file of files) columns.set(file, await readHeader(file))
  const holder = await claimImport(db, options.importer, options.now, options.isAlive)
  if (holder) throw new ImportRefused(`another import runs (process ${holder.pid} on ${holder.host})`)
  try {
    const report: ImportReport = { read: 0, added: 0, changed: 0, unchanged: 0, rejected: 0, broken: [] }
    const beat = heartbeat(db, options.importer)
    for (const file of files)
      await importFile(db, file, columns.get(file) ?? new Map(), options, report, beat)
    await settle(db, options, beat)
    return report
  } finally {
    await releaseImport(db, options.importer)
  }
}

/** Says every few seconds that the import lives. */
function heartbeat(db: Db, importer: Importer): () => Promise<void> {
  let beatAt = Date.now()
  return async () => {
    if (Date.now() - beatAt < beatMs) return
    beatAt = Date.now()
    await beatImport(db, importer, new Date(beatAt))
  }
}

async function readHeader({ kind, path }: DirectoryFile): Promise<ReadonlyMap<string, number>> {
  try {
    for await (const [first] of readLines(path)) {
      if (first) return findColumns(kind, first.text ?? '')
    }
  } catch (error) {
    throw new ImportRefused(
      `${path} cannot be imported: ${error instanceof Error ? error.message : 'unreadable'}`,
      {
        cause: error,
      },
    )
  }
  throw new ImportRefused(`${path} cannot be imported: it is empty`)
}

async function importFile(
  db: Db,
  file: DirectoryFile,
  columns: ReadonlyMap<string, number>,
  options: ImportOptions,
  report: ImportReport,
  beat: () => Promise<void>,
): Promise<void> {
  const size = options.sizeOf(file.path)
  const run: ImportRun = {
    now: options.now,
    stock: options.stock,
    saved: new Set(),
    counts: report,
    reject: (line, reason) => options.onReject(file.path, line, reason),
  }
  let bytes = 0
  let batch: Line[] = []
  const takeBatch = async (): Promise<void> => {
    const lines = batch
    batch = []
    await bulkTransaction(db, (tx) => importers[file.kind](tx, run, columns, lines))
    options.onProgress(file.path, size > 0 ? Math.min(bytes / size, 1) : 1)
    await beat()
  }
  try {
    for await (const lines of readLines(file.path, (count) => (bytes += count))) {
      for (const line of lines) {
        if (line.number === 1) continue
        batch.push(line)
        if (batch.length >= rowsPerBatch[file.kind]) await takeBatch()
      }
    }
  } catch (error) {
    if (!(error instanceof FileBroken)) throw error
    report.broken.push(error.message)
  }
  if (batch.length > 0) await takeBatch()
}

/** Brings products and search up to what was imported, now or by a run that was killed. */
async function settle(db: Db, { now, onProgress }: ImportOptions, beat: () => Promise<void>): Promise<void> {
  const touched = await countTouched(db)
  if (touched > 0) {
    await setSearchIsStale(db, true)
    for (let settled = 0; ;) {
      const some = await settleSomeProducts(db, now)
      if (some === 0) break
      settled += some
      onProgress('products', Math.min(settled / touched, 1))
      await beat()
    }
  }
  if (!(await searchIsStale(db))) return
  await rebuildSearch(db, (done, of) => {
    onProgress('search', of > 0 ? done / of : 1)
    return beat()
  })
  await setSearchIsStale(db, false)
}
