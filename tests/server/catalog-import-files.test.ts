import { directoryColumns } from '#server/catalog/directory/columns.ts'
import { readLines } from '#server/catalog/directory/read-lines.ts'
import { ImportError } from '#server/catalog/import-directories.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  dpdFile,
  dpdRow,
  genericRow,
  nadacFile,
  ndcFile,
  ndcRow,
  upcFile,
  upcRow,
} from './catalog-import-rows.ts'
import { exactState, runImport, samples, snapshot, temporaryFile, tsv } from './catalog-import-support.ts'

const dpd = (path: string) => ({ kind: 'dpd' as const, path })
const ndc = (path: string) => ({ kind: 'ndc' as const, path })

const row = (din: string, change: Record<string, string> = {}): Record<string, string> => ({
  din,
  product_type: 'Rx',
  brand_name: 'ZOLOFT',
  company: 'Pfizer',
  ingredients: 'SERTRALINE (SERTRALINE HYDROCHLORIDE)',
  strength_display: '50 MG',
  dosage_form: 'CAPSULE',
  route: 'ORAL',
  package_information: '100',
  ...change,
})
const rows = (...some: Record<string, string>[]): string => tsv(directoryColumns.dpd, some)

eachEngine((_, openDb) => {
  test('a wrong header, an unreadable or an empty file is a plain message, and nothing changes', async () => {
    const db = await openDb()
    await runImport(db, [dpd(temporaryFile('first.tsv', rows(row('00000001'))))])
    const before = await exactState(db)
    const good = dpd(temporaryFile('good.tsv', rows(row('00000002'))))
    const bad: [string, RegExp][] = [
      [temporaryFile('header.tsv', 'din\tname\n1\t2\n'), /header has no column product_type, controlled/],
      [temporaryFile('twice.tsv', `${directoryColumns.dpd.join('\t')}\tdin\n`), /column din twice/],
      [temporaryFile('empty.tsv', ''), /it is empty/],
      [temporaryFile('no.tsv.gz', 'this is no gzip'), /cannot be imported/],
      [temporaryFile('binary.tsv', Buffer.from([0, 255, 1, 10, 7])), /header has no column/],
      ['/nowhere/missing.tsv', /ENOENT/],
      ['tests/fixtures', /EISDIR/],
    ]
    for (const [path, message] of bad) {
      const refused = runImport(db, [good, dpd(path)])
      await expect(refused).rejects.toThrow(ImportError)
      await expect(refused).rejects.toThrow(message)
    }
    expect(await exactState(db)).toBe(before)
  })

  test('columns are matched by name; other columns, a BOM, CRLF and a missing last newline are accepted', async () => {
    const db = await openDb()
    const plain = await snapshotOf(temporaryFile('plain.tsv', rows(row('00000001'), row('00000002'))))
    const columns = ['extra', ...directoryColumns.dpd.toReversed()]
    const odd = tsv(columns, [row('00000001', { extra: 'x' }), row('00000002')])
      .replaceAll('\n', '\r\n')
      .replace(/\r\n$/, '')
    expect(await snapshotOf(temporaryFile('odd.tsv', `\uFEFF${odd}`))).toEqual(plain)

    async function snapshotOf(path: string): Promise<Record<string, string[]>> {
      const own = await openDb()
      expect(await runImport(own, [dpd(path)])).toMatchObject({ read: 2, added: 2, rejected: 0 })
      return snapshot(own)
    }
    await db.destroy()
  })

  test('the first row with a key wins: an equal one after it is unchanged, and a different one is rejected', async () => {
    const db = await openDb()
    const first = temporaryFile(
      'a.tsv',
      rows(row('00000001'), row('00000001'), row('00000001', { strength_display: '100 MG' })),
    )
    const second = temporaryFile('b.tsv', rows(row('00000001', { company: 'Another' }), row('00000001')))
    const report = await runImport(db, [dpd(first), dpd(second)])
    expect(report).toMatchObject({ read: 5, added: 1, changed: 0, unchanged: 2, rejected: 2 })
    expect(report.rejections).toMatchObject([{ line: 4 }, { line: 2 }])
    expect(report.rejections[0]?.reason).toMatch(/din:00000001 occurs earlier in this import/)
    const { strength } = await db.selectFrom('productVariants').select('strength').executeTakeFirstOrThrow()
    expect(strength).toBe('50')
  })

  test('invalid rows are rejected with their line and reason, and the others are imported', async () => {
    const db = await openDb()
    const content =
      rows(
        row('00000001'),
        row('123'),
        row('00000003', { product_type: 'Veterinary' }),
        row('00000004', { ingredients: '', brand_name: '' }),
      ) +
      `00000005\tRx\n` +
      `${'x'.repeat(2 ** 20 + 1)}\n` +
      `00000007\t\0\n` +
      '\n' +
      rows(row('00000008')).split('\n')[1]
    const report = await runImport(db, [dpd(temporaryFile('rejects.tsv', content))])
    expect(report).toMatchObject({ read: 8, added: 2, rejected: 6 })
    expect(report.rejections.toSorted((a, b) => a.line - b.line)).toEqual([
      { line: 3, reason: '"123" is not a DIN of 8 digits' },
      { line: 4, reason: 'the product type is "Veterinary", not Rx, Ethical or OTC' },
      { line: 5, reason: 'the row names no product' },
      { line: 6, reason: 'the line has 2 columns, controlled is missing' },
      { line: 7, reason: 'the line is longer than 1 MiB' },
      { line: 8, reason: 'the line contains a NUL character' },
    ])
  })

  test('a row with a value too long for an index is rejected, and the others are imported', async () => {
    const db = await openDb()
    const long = Array.from({ length: 100 }, (_, i) => hash('sha256', String(i))).join('')
    const files = [
      ndcFile(ndcRow({ package_ndc: long }), ndcRow({ labeler: long }), genericRow()),
      dpdFile(dpdRow({ din: long }), dpdRow({ company: long }), dpdRow()),
      upcFile(upcRow({ upc: long }), upcRow({ package_ndc: long }), upcRow({ manufacturer: long }), upcRow()),
      nadacFile({ drug_term: long, nadac_per_unit_usd: '1.00000', pricing_unit: 'EA' }),
    ]
    const report = await runImport(db, files)
    expect(report).toMatchObject({ read: 11, added: 3, rejected: 8 })
    expect(new Set(report.rejections.map(({ reason }) => reason))).toEqual(
      new Set(
        ['package_ndc', 'labeler', 'din', 'company', 'upc', 'manufacturer', 'drug_term'].map(
          (column) => `${column} has 6400 characters`,
        ),
      ),
    )
  })

  test('a line with a stray tab or with bytes that are not UTF-8 is rejected; empty last cells are not', async () => {
    const db = await openDb()
    const [header = '', line = ''] = rows(row('00000001', { company: 'Protégé' })).split('\n')
    const lines = [
      line.replace('00000001', '00000002').replace('ZOLOFT', 'ZO\tLOFT'),
      line.replace('00000001', '00000003').replace('50 MG', '50\tMG'),
      `${line}\t\t `,
    ]
    const utf8 = Buffer.from(`${header}\n${lines.join('\n')}\n`)
    const latin1 = Buffer.from(`${line.replace('00000001', '00000004')}\n`, 'latin1')
    const report = await runImport(db, [dpd(temporaryFile('damaged.tsv', Buffer.concat([utf8, latin1])))])
    expect(report).toMatchObject({ read: 4, added: 1, rejected: 3 })
    expect(report.rejections).toEqual([
      { line: 2, reason: 'the line has 13 columns, the header has 12' },
      { line: 3, reason: 'the line has 13 columns, the header has 12' },
      { line: 5, reason: 'the line is not UTF-8 text' },
    ])
  })

  test('the rows before the break of a truncated gzip file are imported', async () => {
    const db = await openDb()
    const zipped = gzipSync(readFileSync(samples.ndc))
    const half = temporaryFile('half.tsv.gz', zipped.subarray(0, Math.floor(zipped.length / 2)))
    const report = await runImport(db, [ndc(half)])
    expect(report.fileErrors).toHaveLength(1)
    expect(report.fileErrors[0]).toMatch(/half\.tsv\.gz is truncated after line \d+$/)
    expect(report.read).toBeGreaterThan(100)
    expect(report.read).toBeLessThan(1000)
    expect(report).toMatchObject({ added: report.read, rejected: 0 })
    // The whole file afterwards adds the rest.
    const whole = await runImport(db, [ndc(temporaryFile('whole.tsv.gz', zipped))])
    expect(whole).toMatchObject({ read: 1000, unchanged: report.read, added: 1000 - report.read })
  })

  test('a second import is refused while one is running, and replaces a dead one', async () => {
    const db = await openDb()
    const file = dpd(temporaryFile('a.tsv', rows(row('00000001'))))
    await db.updateTable('catalogImport').set({ host: 'here', pid: 77, heartbeatAt: new Date() }).execute()
    const importer = { host: 'here', pid: 78 }
    await expect(runImport(db, [file], { importer, isAlive: () => true, now: new Date() })).rejects.toThrow(
      'another import is running (process 77 on here)',
    )
    expect(await runImport(db, [file], { importer, isAlive: () => false })).toMatchObject({ added: 1 })
  })

  test('an import stops when another has taken over', async () => {
    const db = await openDb()
    const file = dpd(temporaryFile('a.tsv', rows(row('00000001'))))
    const importer = { host: 'here', pid: 78 }
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const onProgress = (): void => {
      // The lease now has another process than this one.
      importer.pid = 79
      vi.setSystemTime(Date.now() + 180_000)
    }
    const stopped = runImport(db, [file], { importer, onProgress })
    await expect(stopped).rejects.toThrow(ImportError)
    await expect(stopped).rejects.toThrow('another import has taken over; this one stopped')
    const lease = db.selectFrom('catalogImport').select(['host', 'pid'])
    expect(await lease.execute()).toEqual([{ host: 'here', pid: 78 }])
  })

  test('an import without a heartbeat is dead, even if another process has its id or it ran on another host', async () => {
    const db = await openDb()
    const file = dpd(temporaryFile('a.tsv', rows(row('00000001'))))
    const now = new Date()
    const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)
    const importer = { host: 'here', pid: 78 }
    for (const host of ['here', 'elsewhere']) {
      await db
        .updateTable('catalogImport')
        .set({ host, pid: 77, heartbeatAt: ago(60) })
        .execute()
      await expect(runImport(db, [file], { importer, isAlive: () => true, now })).rejects.toThrow(
        `another import is running (process 77 on ${host})`,
      )
      await db
        .updateTable('catalogImport')
        .set({ host, pid: 77, heartbeatAt: ago(180) })
        .execute()
      expect(await runImport(db, [file], { importer, isAlive: () => true, now })).toMatchObject({ read: 1 })
    }
  })
})

test('a line longer than 1 MiB is never held whole', async () => {
  const path = temporaryFile('long.tsv', `first\n${'y'.repeat(40 * 2 ** 20)}\nlast\n`)
  // The least of several readings: garbage that is not collected yet counts, too.
  let leastHeld = Infinity
  for (let reading = 0; reading < 5; reading++) {
    const before = process.memoryUsage().arrayBuffers
    const lines = []
    for await (const batch of readLines(path)) lines.push(...batch)
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [1, 'first'],
      [2, null],
      [3, 'last'],
    ])
    leastHeld = Math.min(leastHeld, process.memoryUsage().arrayBuffers - before)
  }
  expect(leastHeld).toBeLessThan(20 * 2 ** 20)
})
