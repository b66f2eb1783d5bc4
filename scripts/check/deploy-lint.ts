import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployPaths } from './deploy-paths.ts'

/** A change that makes a file of the folder wrong. */
export type Defect = { path: string; from: string; to: string }

/** A lint by an installed program, and defects that it must find. */
export type ProgramLint = {
  program: string
  /** How to install the program: a command or a page. */
  install: string
  faults: (folder: string) => string[] | Promise<string[]>
  defects: readonly Defect[]
}

/** With the folders of an administrator: Debian has PgBouncer in one. */
export const searchPath = (): string => `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

const isInstalled = (program: string): boolean =>
  searchPath()
    .split(':')
    .some((folder) => folder !== '' && existsSync(join(folder, program)))

/** Passes a copy of the folder without the operator's files. The copy is deleted afterwards. */
export async function withFolderCopy<T>(
  folder: string,
  inspect: (copy: string) => T | Promise<T>,
): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'meridian-deploy-'))
  try {
    for (const path of deployPaths(folder)) cpSync(join(folder, path), join(copy, path))
    return await inspect(copy)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** What the lint finds in the folder. Without findings, also the defects that it misses. */
export async function lintFaults(lint: ProgramLint, folder: string): Promise<string[]> {
  if (!isInstalled(lint.program)) {
    return [`${lint.program} is missing. To install it: ${lint.install}`]
  }
  const faults = await lint.faults(folder)
  if (faults.length > 0) return faults
  const missed = await Promise.all(
    lint.defects.map(async (defect) => ((await finds(lint, folder, defect)) ? [] : [defect])),
  )
  return missed
    .flat()
    .map(({ path, from, to }) => `${lint.program} accepts "${to}" instead of "${from}" in ${path}.`)
}

/** A defect that cannot be planted is not found either. */
const finds = (lint: ProgramLint, folder: string, { path, from, to }: Defect): Promise<boolean> =>
  withFolderCopy(folder, async (copy) => {
    const text = readFileSync(join(copy, path), 'utf8')
    writeFileSync(join(copy, path), text.replaceAll(from, to))
    return text.includes(from) && (await lint.faults(copy)).length > 0
  })
