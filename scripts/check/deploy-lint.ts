import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A change that makes a file of the folder wrong. */
export type Defect = { path: string; from: string; to: string }

/** A lint by a program of Debian, and defects that it must find. */
export type ProgramLint = {
  program: string
  /** Debian's name of the package with the program. */
  package: string
  faults: (folder: string) => string[] | Promise<string[]>
  defects: readonly Defect[]
}

/** With the folders of an administrator: Debian has PgBouncer in one. */
export const searchPath = (): string => `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

const isInstalled = (program: string): boolean =>
  searchPath()
    .split(':')
    .some((folder) => folder !== '' && existsSync(join(folder, program)))

/** Passes a copy of the folder, which is deleted afterwards. */
export async function inCopy<T>(folder: string, inspect: (copy: string) => T | Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'meridian-deploy-'))
  try {
    cpSync(folder, copy, { recursive: true })
    return await inspect(copy)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** What the lint finds in the folder. Without findings, also the defects that it overlooks. */
export async function lintFaults(lint: ProgramLint, folder: string): Promise<string[]> {
  if (!isInstalled(lint.program)) {
    return [`${lint.program} is missing. Install it with: apt-get install -y ${lint.package}`]
  }
  const faults = await lint.faults(folder)
  if (faults.length > 0) return faults
  const overlooked = await Promise.all(
    lint.defects.map(async (defect) => ((await finds(lint, folder, defect)) ? [] : [defect])),
  )
  return overlooked
    .flat()
    .map(({ path, from, to }) => `${lint.program} accepts "${to}" instead of "${from}" in ${path}.`)
}

/** A defect that cannot be planted is not found either. */
const finds = (lint: ProgramLint, folder: string, { path, from, to }: Defect): Promise<boolean> =>
  inCopy(folder, async (copy) => {
    const text = readFileSync(join(copy, path), 'utf8')
    writeFileSync(join(copy, path), text.replaceAll(from, to))
    return text.includes(from) && (await lint.faults(copy)).length > 0
  })
