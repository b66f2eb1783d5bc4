import { openDatabase } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'

const script = resolve('deploy/postgres/base-backup.sh')

/** A shop's Postgres with the roles of create-roles.sh, and folders for its base backups. */
async function openServer() {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-base-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['archive', 'backups']) mkdirSync(join(folder, name))
  // Durable: another one keeps no log for copies.
  const server = await findPostgres({ sources: ['system', 'embedded'], durable: true })
  onTestFinished(server.stop)
  const admin = new Client({ connectionString: server.url })
  await admin.connect()
  await admin.query('create role meridian login')
  await admin.query('create role replicator replication login')
  await admin.query('create database meridian owner meridian')
  await admin.end()
  const { hostname, port } = new URL(server.url)
  const db = openDatabase(`postgres://meridian@${hostname}:${port}/meridian`, () => {})
  onTestFinished(() => db.destroy())
  await migrate(db)

  const backups = join(folder, 'backups')
  const run = (env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [script, backups, join(folder, 'archive')], {
      encoding: 'utf8',
      env: {
        PATH: '/usr/bin:/bin',
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: 'replicator',
        SHOP_USER: 'meridian',
        ...env,
      },
    })
    return { status, stdout, stderr }
  }
  const lastRun = () => db.selectFrom('runs').selectAll().where('name', '=', 'base-backup').executeTakeFirst()
  return { backups, run, lastRun }
}

test('a base backup records its success and its failure beside each other', async () => {
  const { backups, run, lastRun } = await openServer()
  const passed = run()
  expect(passed).toMatchObject({ status: 0, stderr: '' })
  const [, made = ''] = /^base-backup=(\S+) archive-from=[\dA-F]{24}\n$/.exec(passed.stdout) ?? []
  expect(existsSync(join(made, 'backup_manifest'))).toBe(true)
  const first = await lastRun()
  expect(first).toMatchObject({ kind: 'backup', failedAt: null, failure: null, summary: null })
  expect(Math.abs(Date.now() - Number(first?.succeededAt))).toBeLessThan(60_000)
  expect(first?.durationMs).toBeGreaterThanOrEqual(0)

  const failed = run({ PGUSER: 'nobody' })
  expect(failed).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('"nobody"') })
  const second = await lastRun()
  expect(second).toMatchObject({ succeededAt: first?.succeededAt, failure: 'pg_basebackup' })
  expect(Number(second?.failedAt)).toBeGreaterThan(Number(first?.succeededAt))

  expect(run().status).toBe(0)
  const third = await lastRun()
  expect(third).toMatchObject({ failedAt: second?.failedAt, failure: 'pg_basebackup' })
  expect(Number(third?.succeededAt)).toBeGreaterThan(Number(second?.failedAt))
  expect(readdirSync(backups).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('a run that cannot be recorded fails a base backup that succeeded, and hides no failure', async () => {
  const { backups, run, lastRun } = await openServer()
  const notRecorded = "The run was not recorded in the shop's database, so its alerts do not see it.\n"
  // The role of replication may not write the table.
  const unrecorded = run({ SHOP_USER: '' })
  expect(unrecorded).toMatchObject({ status: 1, stdout: expect.stringContaining('base-backup=') })
  expect(unrecorded.stderr).toMatch(/permission denied for table runs\n/)
  expect(unrecorded.stderr.endsWith(notRecorded)).toBe(true)
  expect(readdirSync(backups)).toHaveLength(1)
  expect(await lastRun()).toBeUndefined()

  const both = run({ PGUSER: 'nobody', SHOP_DATABASE: 'missing' })
  expect(both).toMatchObject({ status: 1, stdout: '' })
  expect(both.stderr).toContain('role "nobody" does not exist')
  expect(both.stderr.endsWith(notRecorded)).toBe(true)

  // A later step that fails is recorded by its name.
  rmSync(resolve(backups, '..', 'archive'), { recursive: true })
  expect(run().status).not.toBe(0)
  expect(await lastRun()).toMatchObject({ succeededAt: null, failure: 'clean-up' })
})
