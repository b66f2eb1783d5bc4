import { analyzeImported } from '#db/catalog/analyze-catalog.ts'
import { increasingIdsOfTime } from '#domain/ids.ts'
import {
  recordImportHeartbeat,
  claimImport,
  releaseImport,
  isSearchStale,
  setSearchIsStale,
  type Importer,
} from '#db/catalog/catalog-import.ts'
import { countTouched } from '#db/catalog/touched-products.ts'
import { pipelineBulk, repeatBulk } from '#db/engine/bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { findColumns, type DirectoryKind, type Columns } from './directory/columns.ts'
import { TruncatedFileError, readLines, type Line } from './directory/read-lines.ts'
import type { ImportLines, ImportRun } from './import-batch.ts'
import { importPriceLines } from './import-prices.ts'
import { importUpcLines } from './import-upcs.ts'
import { importDpdLines, importNdcLines } from './import-variants.ts'
import { refreshTouchedProducts } from './refresh-touched-products.ts'

export type DirectoryFile = { kind: DirectoryKind; path: string }

/** Why nothing, or not all, was imported, as a message for the terminal. */
export class ImportError extends Error {}

export type ImportOptions = {
  files: readonly DirectoryFile[]
  /** Stock on hand of each new variant, except one of which all lots are recalled. 0 for none. */
  stock: number
  importer: Importer
  /** Whether the process that holds the import lease, on this host, is running. */
  isAlive: (holder: Importer) => boolean
  now: Date
  onReject: (file: string, line: number, reason: string) => void
  /** Reports the step and its share done, 0 to 1. */
  onProgress: (step: string, share: number) => void
  /** The size of a file, for progress. */
  sizeOf: (path: string) => number
}

export type ImportReport = ImportRun['counts'] & {
  /** Messages about truncated files. Empty when all files were read to the end. */
  fileErrors: string[]
}

/** Directories first, so that UPCs find their packages and prices their products. */
const importOrder: readonly DirectoryKind[] = ['ndc', 'dpd', 'upc', 'nadac']
const importers = {
  ndc: importNdcLines,
  dpd: importDpdLines,
  upc: importUpcLines,
  nadac: importPriceLines,
} satisfies Record<DirectoryKind, ImportLines>
/** Rows per transaction, which bounds how long the shop's own writes wait. */
const rowsPerBatch = { ndc: 500, dpd: 500, upc: 500, nadac: 250 } satisfies Record<DirectoryKind, number>
const heartbeatMs = 5000

/**
 * Imports directories into the catalog in short transactions. Rows that have not changed since the
 * last import are not written, so a killed import can simply run again. Throws ImportError, with
 * nothing changed, when a file cannot be read, its header is wrong, or another import is running;
 * and between two transactions when another import has taken over.
 */
export async function importDirectories(db: Db, options: ImportOptions): Promise<ImportReport> {
  const files = options.files.toSorted((a, b) => importOrder.indexOf(a.kind) - importOrder.indexOf(b.kind))
  const opened: { file: DirectoryFile; columns: Columns }[] = []
  for (const file of files) opened.push({ file, columns: await readHeader(file) })
  const holder = await claimImport(db, options.importer, options.now, options.isAlive)
  if (holder) throw new ImportError(`another import is running (process ${holder.pid} on ${holder.host})`)
  try {
    const counts = { read: 0, added: 0, recalled: 0, changed: 0, unchanged: 0, rejected: 0 }
    const report: ImportReport = { ...counts, fileErrors: [] }
    const sendHeartbeat = heartbeat(db, options.importer)
    for (const { file, columns } of opened) {
      const before = report.added + report.changed
      await importFile(db, file, columns, options, report, sendHeartbeat)
      // The next steps look up rows among those of this one. The search, which any written row
      // makes stale, ends with complete statistics.
      if (report.added + report.changed > before) await analyzeImported(db)
    }
    await refreshProductsAndSearch(db, options, sendHeartbeat)
    return report
  } finally {
    await releaseImport(db, options.importer)
  }
}

/**
 * Renews the import's lease every few seconds. Throws ImportError when another import has taken it
 * over, as one does from a process that was stopped for minutes.
 */
function heartbeat(db: Db, importer: Importer): () => Promise<void> {
  let beatAt = Date.now()
  return async () => {
    if (Date.now() - beatAt < heartbeatMs) return
    beatAt = Date.now()
    if (!(await recordImportHeartbeat(db, importer, new Date(beatAt))))
      throw new ImportError('another import has taken over; this one stopped')
  }
}

async function readHeader({ kind, path }: DirectoryFile): Promise<Columns> {
  try {
    for await (const [first] of readLines(path)) {
      if (first) return findColumns(kind, first.text ?? '')
    }
  } catch (error) {
    throw new ImportError(
      `${path} cannot be imported: ${error instanceof Error ? error.message : 'unreadable'}`,
      {
        cause: error,
      },
    )
  }
  throw new ImportError(`${path} cannot be imported: it is empty`)
}

async function importFile(
  db: Db,
  file: DirectoryFile,
  columns: Columns,
  options: ImportOptions,
  report: ImportReport,
  sendHeartbeat: () => Promise<void>,
): Promise<void> {
  const size = options.sizeOf(file.path)
  const run: ImportRun = {
    now: options.now,
    stock: options.stock,
    nextStockId: increasingIdsOfTime(options.now.getTime()),
    saved: new Set(),
    counts: report,
    reject: (line, reason) => options.onReject(file.path, line, reason),
  }
  let bytes = 0
  let batch: Line[] = []
  await pipelineBulk(db, async (runBatch) => {
    const flushBatch = async (): Promise<void> => {
      const lines = batch
      batch = []
      await runBatch((tx) => importers[file.kind](tx, run, columns, lines))
      options.onProgress(file.path, size > 0 ? Math.min(bytes / size, 1) : 1)
      await sendHeartbeat()
    }
    try {
      for await (const lines of readLines(file.path, (count) => (bytes += count))) {
        for (const line of lines) {
          if (line.number === 1) continue
          batch.push(line)
          if (batch.length >= rowsPerBatch[file.kind]) await flushBatch()
        }
      }
    } catch (error) {
      if (!(error instanceof TruncatedFileError)) throw error
      report.fileErrors.push(error.message)
    }
    if (batch.length > 0) await flushBatch()
  })
}

/**
 * Updates the products and the search for imported rows, including those of an earlier run that was
 * killed.
 */
async function refreshProductsAndSearch(
  db: Db,
  { now, onProgress }: ImportOptions,
  sendHeartbeat: () => Promise<void>,
): Promise<void> {
  const touched = await countTouched(db)
  if (touched > 0) {
    await setSearchIsStale(db, true)
    let settled = 0
    await repeatBulk(db, async () => {
      const some = await refreshTouchedProducts(db, now)
      if (some === 0) return false
      settled += some
      onProgress('products', Math.min(settled / touched, 1))
      await sendHeartbeat()
      return true
    })
  }
  if (!(await isSearchStale(db))) return
  await rebuildSearch(db, (done, of) => {
    onProgress('search', of > 0 ? done / of : 1)
    return sendHeartbeat()
  })
  await setSearchIsStale(db, false)
}
