import { csvBounds, fileTooLarge } from '#domain/catalog/csv-imports.ts'
import { streamRejectedLines } from '#server/catalog/csv/get-import.ts'
import { readCsv } from '#server/catalog/csv/read-csv.ts'
import { checkImport } from '#server/catalog/csv/start-import.ts'
import { deleteOldImports } from '#server/jobs/advance-imports.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { expect, test } from 'vitest'
import {
  applyWhole,
  createTwoVariants,
  errorMessageOf,
  linesOf,
  mappingOf,
  streamOf,
  uploadAndCheck,
  uploadCsv,
  variantOf,
} from './csv-import-support.ts'

test.each([
  ['64 MB', `A-1,${'x'.repeat(900_000)}\n`, fileTooLarge],
  [
    '250,000 lines',
    'A-1,1\n'.repeat(10_000),
    'The file has more than 250,000 lines. Split it into smaller files.',
  ],
])(
  'a file of more than %s is rejected during the upload',
  { timeout: 30_000 },
  async (_, chunk, sentence) => {
    let sent = 0
    const endless = async function* () {
      yield Buffer.from('sku,price\n')
      for (;;) {
        sent += chunk.length
        yield Buffer.from(chunk)
      }
    }
    const read = async (): Promise<void> => {
      for await (const lines of readCsv(endless())) void lines
    }
    expect(await errorMessageOf(read())).toBe(sentence)
    expect(sent).toBeLessThan(csvBounds.bytes + 2 * 900_000)
  },
)

eachEngine((_engine, openDb) => {
  test.each([
    ['an empty file', [''], 'The file is empty.'],
    ['a header only', ['sku,price\n'], 'The file has a header but no lines.'],
    ['a header with a duplicate column', ['SKU,sku\nA,B'], 'The header has two columns named “sku”.'],
    ['a column without a name', ['sku,,price\nA,B,1'], 'A column in the header has no name.'],
    [
      'another encoding',
      ['sku,brand name\nA-1,x\nA-2,', Uint8Array.of(0xe9), '\n'],
      'Line 3 isn’t UTF-8 text. Save the file as “CSV UTF-8” and try again. UTF-16 with a byte order mark also works.',
    ],
    ['a PDF', ['%PDF-1.7\0\0\n', Uint8Array.of(0xff, 0xfe)], /^This isn’t a CSV file|isn’t UTF-8 text/],
    ['an open quotation mark', ['sku,price\nA-1,1\nA-2,"1\n'], /a quotation mark is never closed/],
    [
      'text after a quotation mark',
      ['sku,price\nA-1,"1"x\n'],
      'Line 2: text follows a closing quotation mark.',
    ],
  ])('%s is rejected with its line number, and nothing is stored', async (_, chunkParts, sentence) => {
    const db = await openDb()
    expect(await errorMessageOf(uploadCsv(db, ...chunkParts))).toMatch(sentence)
    await deleteOldImports({ db, now: () => testDay }, new AbortController().signal)
    expect(await db.selectFrom('csvImports').select('id').execute()).toEqual([])
    expect(await db.selectFrom('csvImportRows').select('line').execute()).toEqual([])
  })

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFSKU;Brand name\r\nA-1;"Zoë; =1+1"\r\n')],
    [
      'UTF-16 little-endian, tab-separated',
      Buffer.from('\uFEFFSKU\tBrand name\r\nA-1\t"Zoë; =1+1"\r\n', 'utf16le'),
    ],
    ['UTF-16 big-endian', Buffer.from('\uFEFFSKU,Brand name\nA-1,Zoë; =1+1', 'utf16le').swap16()],
  ])('%s is read, however it is chunked', async (_, bytes) => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await uploadCsv(db, bytes.subarray(0, 1), bytes.subarray(1, 30), bytes.subarray(30))
    await checkImport(asAdmin(db), id, mappingOf('SKU,Brand name'))
    await applyWhole(db, id, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ brandName: 'Zoë; =1+1' })
  })

  test('a formula stays text, a NUL is refused, and the refused lines can be downloaded', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await uploadAndCheck(db, "SKU,Brand name\nA-1,=1+1\nA-2,a\0b\nA-9,'=cmd\n")
    expect(await linesOf(db, id)).toMatchObject([
      { outcome: 'changed', changes: [{ after: '=1+1' }] },
      { outcome: 'refused', problem: 'This line contains a NUL character.' },
      { outcome: 'refused', problem: 'No variant has SKU A-9.' },
    ])
    let text = ''
    for await (const chunk of streamRejectedLines(asAdmin(db), id)) text += chunk
    expect(text).toBe(
      "\uFEFFSKU,Brand name,Line,Problem\r\nA-2,a␀b,3,This line contains a NUL character.\r\nA-9,''=cmd,4,No variant has SKU A-9.\r\n",
    )
    await applyWhole(db, id, { leavesOut: true })
    expect(await variantOf(db, first.id)).toMatchObject({ brandName: '=1+1' })
  })
})

test.each(['\r\n', '\n', '\r'])(
  'lines are counted as an editor does, also after breaks in cells (%j)',
  async (end) => {
    const rows = ['SKU,Brand', `A-1,"x${end}y"`, 'A-2,z', `A-3,"${end}${end}"`, 'A-4,z']
    const lines: number[] = []
    for await (const part of readCsv(streamOf(rows.join('\r\n'))))
      lines.push(...(Array.isArray(part) ? part.map(({ line }) => line) : []))
    expect(lines).toEqual([2, 4, 5, 8])
  },
)

test('a long file without a line end is read in linear time', async () => {
  // Twice as much as `readHead` collects: to search all of it again for each part took 17 s.
  const parts = Array.from({ length: 128 }, () => 'x'.repeat(1024))
  const read = async (): Promise<void> => {
    for await (const _ of readCsv(streamOf(...parts)));
  }
  expect(await withinCpuMs(500, () => errorMessageOf(read()))).toMatch(/header but no lines/)
})
