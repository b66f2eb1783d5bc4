import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sampleMemory } from '#tests/support/process-facts.ts'
import { importCommand } from '#tests/support/start-command.ts'

const kinds = {
  ndc: /^ndc-(catalog|sample)/,
  dpd: /^dpd-(catalog|sample)/,
  upc: /^openfda-upc/,
  nadac: /^nadac/,
}

export type Import = { seconds: number; peakMb: number; lastLine: string }

/** Runs `npm run catalog:import` on all directories of a folder and follows its memory. */
export async function importCatalog(folder: string, databaseUrl: string): Promise<Import> {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  const names = readdirSync(folder).toSorted()
  const files = Object.entries(kinds).flatMap(([kind, pattern]) => {
    const name = names.find((candidate) => pattern.test(candidate))
    return name ? [`--${kind}`, join(folder, name)] : []
  })
  const started = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', ...importCommand.slice(1), ...files, '--stock', '100'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL: databaseUrl } },
  )
  const memory = sampleMemory(child.pid ?? 0)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  const peakMb = memory.stop()
  if (code !== 0) throw new Error(`The import ended with ${code}.`)
  return {
    seconds: (performance.now() - started) / 1000,
    peakMb,
    lastLine: output.trim().split('\n').at(-1) ?? '',
  }
}
