import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { build } from 'vite'

/** The programs that tests start as processes, by name. */
const commands = {
  'audit-verify': 'scripts/audit-verify.ts',
  backup: 'scripts/backup.ts',
  'backup-drill': 'scripts/backup-drill.ts',
  'care-import': 'scripts/care-import.ts',
  'catalog-import': 'scripts/catalog-import.ts',
  db: 'scripts/db.ts',
  dev: 'scripts/dev.ts',
  'emergency-access': 'scripts/emergency-access.ts',
  'fills-verify': 'scripts/fills-verify.ts',
  'keep-chaining': 'tests/server/keep-chaining.ts',
  'keep-writing': 'tests/db/keep-writing.ts',
  'keys-rotate': 'scripts/keys-rotate.ts',
  restore: 'scripts/restore.ts',
  'stock-verify': 'scripts/stock-verify.ts',
  'users-admin': 'scripts/users-admin.ts',
}
export type CommandName = keyof typeof commands

const folder = 'build/commands'

/**
 * Bundles the commands into build/commands. A bundle starts in a fifth of the CPU time that the
 * sources need.
 */
export async function bundleCommands(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    // Packages of many files.
    ssr: { noExternal: ['hono', 'kysely', 'stripe', 'uploadthing', 'zod'] },
    build: {
      ssr: true,
      outDir: folder,
      copyPublicDir: false,
      target: 'node20',
      rolldownOptions: { input: commands },
    },
  })
}

export type CommandResult = {
  code: number | null
  signal: NodeJS.Signals | null
  /** The first line, which names the database that the command opened; empty without one. */
  database: string
  /** What it printed after that line. */
  out: string
  err: string
}
export type RunningCommand = {
  child: ChildProcessByStdio<null, Readable, Readable>
  ended: Promise<CommandResult>
}

/** Starts a bundled command. `env` is added to the environment of this process. */
export function startCommand(
  name: CommandName,
  { args = [], cwd, env }: { args?: readonly string[]; cwd?: string; env: Record<string, string> },
): RunningCommand {
  const child = spawn(process.execPath, [resolve(folder, `${name}.js`), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  const ended = once(child, 'close').then(([code, signal]) => {
    const [, database = '', rest = ''] = /^(Database: [^\n]*\n)?(.*)$/s.exec(out) ?? []
    return { code, signal, database, out: rest, err }
  })
  return { child, ended }
}

export const runCommand = (...parameters: Parameters<typeof startCommand>): Promise<CommandResult> =>
  startCommand(...parameters).ended
