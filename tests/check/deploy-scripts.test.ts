import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { shellScripts } from '../../scripts/check/deploy-shell.ts'

/** Runs a shell script in a folder of its own, with stand-ins for the programs it calls. */
function runScript<T>(
  args: readonly string[],
  standIns: Record<string, string>,
  env: Record<string, string>,
  inspect: (folder: string) => T,
): { status: number | null; stderr: string; found: T } {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-script-'))
  try {
    for (const [path, text] of Object.entries(standIns)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    }
    const { status, stderr } = spawnSync('/bin/sh', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${folder}/bin:/usr/bin:/bin`, ...env },
    })
    return { status, stderr, found: inspect(folder) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const verifications = shellScripts('deploy').filter(({ text }) => text.includes('audit stock fills'))

test('each deployment has one command that verifies', () => {
  expect(verifications.map(({ path }) => path)).toEqual([
    'compose.yaml',
    'kubernetes/commands.yaml',
    'systemd/meridian-verify.service',
  ])
})

test.each(verifications)('a verification that fails stops none and fails $path', ({ text }) => {
  const failing = 'echo "$@" >>ran; case "$*" in *audit*) exit 1;; esac'
  const { status, found } = runScript(
    ['-c', text],
    { 'bin/npm': failing, 'node_modules/.bin/tsx': failing },
    {},
    (folder) => readFileSync(join(folder, 'ran'), 'utf8').match(/audit|stock|fills/g),
  )
  expect(found).toEqual(['audit', 'stock', 'fills'])
  expect(status).toBe(1)
})

test.each(verifications)('verifications without findings pass $path', ({ text }) => {
  const { status } = runScript(
    ['-c', text],
    { 'bin/npm': '', 'node_modules/.bin/tsx': '' },
    {},
    () => undefined,
  )
  expect(status).toBe(0)
})

test.each([
  ['store/create-bucket.sh', 'STORE_ROOT_PASSWORD'],
  ['postgres/create-roles.sh', 'POSTGRES_DB'],
  ['postgres/start-replica.sh', 'PGDATA'],
])('%s refuses to run without %s', (path, variable) => {
  const { status, stderr } = runScript([resolve('deploy', path), '.'], { 'bin/mc': '' }, {}, () => undefined)
  expect(status).not.toBe(0)
  expect(stderr).toContain(variable)
})

/** Runs the script of the store's bucket. `client` is what MinIO's client does. */
const createBucket = (client: string) =>
  runScript(
    [resolve('deploy/store/create-bucket.sh')],
    { 'bin/mc': `echo "$@" >>ran; ${client}`, 'bin/sleep': '' },
    { STORE_ROOT_PASSWORD: 'root-password', STORE_PASSWORD: 'password' },
    (folder) => readFileSync(join(folder, 'ran'), 'utf8').match(/alias set|mb|policy attach/g),
  )

test('the bucket is created once its store has started', () => {
  const { status, found } = createBucket('case "$*" in *alias*) test "$(wc -l <ran)" -gt 3;; esac')
  expect(found).toEqual([...Array(4).fill('alias set'), 'mb', 'policy attach'])
  expect(status).toBe(0)
})

test('a store that refuses its password fails the start', () => {
  const { status, found } = createBucket('exit 1')
  expect(found).toEqual(Array(120).fill('alias set'))
  expect(status).toBe(1)
})

/** Starts the replica's script. `copied` is what its pg_basebackup does. */
const startReplica = (stored: Record<string, string>, copied: string) =>
  runScript(
    [resolve('deploy/postgres/start-replica.sh')],
    { ...stored, 'bin/pg_basebackup': copied, 'bin/postgres': '' },
    { PGDATA: 'data' },
    (folder) => readdirSync(join(folder, 'data')).toSorted(),
  )
const wholeCopy = 'touch data/PG_VERSION data/standby.signal'

test('a replica whose first copy was killed copies again', () => {
  const { status, found } = startReplica({ 'data/PG_VERSION': '17', 'data/partial': '' }, wholeCopy)
  expect(found).toEqual(['PG_VERSION', 'standby.signal'])
  expect(status).toBe(0)
})

test('a replica that has started once is never copied again', () => {
  const stored = { 'data/PG_VERSION': '17', 'data/postmaster.opts': 'postgres' }
  expect(startReplica(stored, wholeCopy).found).toEqual(['PG_VERSION', 'postmaster.opts'])
})

test.each([
  ['BACKUPS', [], '1: '],
  ['ARCHIVE', ['.'], '2: '],
])('a base backup refuses to run without %s', (_, folders, parameter) => {
  const script = resolve('deploy/postgres/base-backup.sh')
  const { status, stderr } = runScript([script, ...folders], {}, {}, () => undefined)
  expect(status).toBe(spawnSync('/bin/sh', ['-c', ': ${1:?}']).status)
  expect(stderr).toContain(`: ${parameter}parameter `)
})
