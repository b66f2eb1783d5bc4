import { prepareForBulk } from '#db/engine/bulk.ts'
import { migrate } from '#db/engine/migrate.ts'
import type { DirectoryKind } from '#server/catalog/directory/columns.ts'
import { importDirectories, ImportError, type DirectoryFile } from '#server/catalog/import-directories.ts'
import { createWriteStream, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { once } from 'node:events'
import { dirname, join, resolve } from 'node:path'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openNamedDatabase, readCommandEnv } from './shop-database.ts'

/**
 * npm run catalog:import -- --ndc FILE --dpd FILE --upc FILE --nadac FILE [--stock N]
 *
 * Each option may be repeated; files are .gz or plain. Progress goes to stderr. The last line of
 * stdout is the summary.
 */

const usage = 'npm run catalog:import -- --ndc FILE --dpd FILE --upc FILE --nadac FILE [--stock N]'
const maxStock = 1_000_000

function readArguments(): { files: DirectoryFile[]; stock: number } {
  const file = { type: 'string', multiple: true } as const
  const { stock = '0', ...paths } = readOptions(usage, {
    ndc: file,
    dpd: file,
    upc: file,
    nadac: file,
    stock: { type: 'string' },
  })
  if (!/^\d{1,7}$/.test(stock) || Number(stock) > maxStock)
    throw new CommandError(`--stock must be a whole number from 0 to ${maxStock}, not "${stock}"`)
  const kinds: readonly DirectoryKind[] = ['ndc', 'dpd', 'upc', 'nadac']
  const files = kinds.flatMap((kind) => (paths[kind] ?? []).map((path) => ({ kind, path })))
  if (files.length === 0) throw new CommandError(`Usage: ${usage}`)
  return { files, stock: Number(stock) }
}

/** A progress bar on a terminal; otherwise a line for each tenth of a step. */
function progressOn(stream: NodeJS.WriteStream): {
  show: (step: string, share: number) => void
  end: () => void
} {
  let last = ''
  let shownAt = 0
  const show = (step: string, share: number): void => {
    const percent = Math.floor(share * 100)
    if (stream.isTTY) {
      if (percent < 100 && Date.now() - shownAt < 100) return
      shownAt = Date.now()
      const bar = '#'.repeat(Math.floor(share * 30)).padEnd(30, '.')
      stream.write(`\r\u001B[2K[${bar}] ${String(percent).padStart(3)} % ${step}`)
    } else {
      const line = `${step}: ${Math.floor(percent / 10) * 10} %`
      if (line !== last) stream.write(`${line}\n`)
      last = line
    }
  }
  return { show, end: () => void (stream.isTTY && stream.write('\n')) }
}

/**
 * A folder that the user of the shop can write to, unlike the one of a release: beside the file of
 * SQLite, otherwise a temporary one.
 */
function makeReportFolder(databaseUrl: string): string {
  if (!databaseUrl.startsWith('sqlite:')) return mkdtempSync(join(tmpdir(), 'meridian-import-'))
  const folder = join(dirname(resolve(databaseUrl.slice('sqlite:'.length))), 'imports')
  mkdirSync(folder, { recursive: true })
  return folder
}

function isAlive({ pid }: { pid: number }): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process answers "not permitted": it is running.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function main(): Promise<number> {
  const { files, stock } = readArguments()
  const { databaseUrl } = readCommandEnv()
  const db = await openNamedDatabase(databaseUrl)
  try {
    await migrate(db)
    const now = new Date()
    const name = `rejected-${now.toISOString().replace(/[-:.]/g, '')}-${process.pid}.tsv`
    const rejectedPath = join(makeReportFolder(databaseUrl), name)
    const rejected = createWriteStream(rejectedPath)
    rejected.write('file\tline\treason\n')
    const progress = progressOn(process.stderr)
    await prepareForBulk(db)
    const report = await importDirectories(db, {
      files,
      stock,
      importer: { host: hostname(), pid: process.pid },
      isAlive,
      now,
      onReject: (file, line, reason) => rejected.write(`${file}\t${line}\t${reason.replace(/\s+/g, ' ')}\n`),
      onProgress: progress.show,
      sizeOf: (path) => statSync(path).size,
    })
    progress.end()
    for (const message of report.fileErrors)
      process.stderr.write(`${message}. The rows before that were imported.\n`)
    if (report.recalled > 0)
      process.stderr.write(
        `Added without stock, because a recall is for all of their lots: ${report.recalled}\n`,
      )
    rejected.end()
    await once(rejected, 'finish')
    const { read, added, changed, unchanged } = report
    process.stdout.write(
      `read=${read} added=${added} changed=${changed} unchanged=${unchanged} rejected=${report.rejected} file=${rejectedPath}\n`,
    )
    return report.fileErrors.length > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main, ImportError)
