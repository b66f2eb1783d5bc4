import { inspectPdf } from '#server/files/inspect-pdf.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import fc from 'fast-check'
import { deflateSync } from 'node:zlib'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { expect, test } from 'vitest'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A PDF with further objects before its end. */
function pdfWith(...parts: (string | Buffer)[]): Buffer {
  const base = samplePdf()
  const end = base.indexOf('trailer')
  const more = parts.map((part) => (typeof part === 'string' ? latin1(part) : part))
  return Buffer.concat([base.subarray(0, end), ...more, base.subarray(end)])
}

/** A stream object with this data. */
const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    latin1(`\n9 0 obj <<${dictionary}/Length ${data.length}>>\nstream\r\n`),
    data,
    latin1('\nendstream endobj\n'),
  ])
const packed = (text: string): Buffer => deflateSync(latin1(text))
const objectStream = (text: string, dictionary = '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'): Buffer =>
  stream(dictionary, packed(text))

const script = '/S/JavaScript/JS(app.alert(1))'
/** Bytes as compressed data has them, the same in each run. */
const noise = Buffer.from(
  Array.from({ length: 300_000 }, (_, i) => (Math.imul(i ^ (i >>> 7), 2_654_435_761) >>> 13) & 0xff),
)

const harmless: [string, Buffer][] = [
  ['an ordinary PDF', samplePdf('x', 100_000)],
  [
    'an opening view',
    pdfWith('4 0 obj<</Type/Catalog/OpenAction[3 0 R/Fit]/Outlines<</First 5 0 R>> >>endobj'),
  ],
  ['a link', pdfWith('4 0 obj<</A<</S/URI/URI(https://x.example/JS)>>/T(a \\) /Launch)/H<2F4A53>>>endobj')],
  ['an object stream', pdfWith(objectStream('5 0 <</Type/Font/BaseFont/ABC+Arial>>'))],
  [
    'outlines before a photo',
    pdfWith('4 0 obj<</First 5 0 R/Last 6 0 R>>endobj', stream('/Filter/DCTDecode', noise)),
  ],
  ['a content stream that draws names', pdfWith(stream('/Filter []', latin1('/JS gs /AA Do')))],
  [
    'noise with names in it',
    pdfWith(stream('/Filter/FlateDecode', Buffer.concat([noise, latin1('/JS /AA /XFA '), noise]))),
  ],
  ['references, reals and nulls', pdfWith('4 0 obj [1 -2 +.5 null true <</A 5 0 R/B 6 0 R/C null>>] endobj')],
]

test.each(harmless)('%s is accepted', async (_name, bytes) => {
  await expect(inspectPdf(bytes)).resolves.toBeUndefined()
})

const refused: [string, Buffer, RegExp][] = [
  ['a script', pdfWith(`4 0 obj<<${script}>>endobj`), /script/],
  ['an escaped name', pdfWith('4 0 obj<</S/J#61vaScrip#74>>endobj'), /script/],
  ['a script when opened', pdfWith(`4 0 obj<</OpenAction<<${script}>> >>endobj`), /script/],
  ['an action on a page', pdfWith('4 0 obj<</AA<</O 5 0 R>>>>endobj'), /script/],
  ['a launch action', pdfWith('4 0 obj<</S/Launch/F(cmd.exe)>>endobj'), /script/],
  ['an embedded file', pdfWith('4 0 obj<</Type/Filespec/F(a.exe)/EF<</F 5 0 R>>>>endobj'), /another file/],
  ['a list of embedded files', pdfWith('4 0 obj<</Names<</EmbeddedFiles 5 0 R>>>>endobj'), /another file/],
  ['an embedded stream', pdfWith(stream('/Type/EmbeddedFile', noise)), /another file/],
  ['media', pdfWith('4 0 obj<</Subtype/RichMedia>>endobj'), /script/],
  ['a form with code', pdfWith('4 0 obj<</AcroForm<</XFA 5 0 R>>>>endobj'), /form/],
  ['a form that sends data', pdfWith('4 0 obj<</S/SubmitForm/F(https://x.example)>>endobj'), /form/],
  ['a form that imports data', pdfWith('4 0 obj<</S/ImportData/F(x)>>endobj'), /form/],
  ['a script in an object stream', pdfWith(objectStream(`5 0 <<${script}>>`)), /script/],
  ['a script in a string of an object stream', pdfWith(objectStream(`5 1 (<<${script}>>)`)), /script/],
  [
    'an object stream without a type',
    pdfWith(objectStream(`5 0 <<${script}>>`, '/N 1/Fi#72st 4/Filter[/Fl]')),
    /script/,
  ],
  [
    'an object stream with a false length',
    pdfWith(stream('/First 4/Filter/FlateDecode/Length 1', Buffer.concat([packed(`<<${script}>>`), noise]))),
    /script/,
  ],
  [
    'an object stream cut short',
    pdfWith(stream('/First 4/Filter/FlateDecode', packed(`<<${script}>>`).subarray(0, -4))),
    /can’t read/,
  ],
  ['a script behind a comment', pdfWith(`4 0 obj %>>endobj\n<<${script}>>endobj`), /script/],
  ['an object inside a string', pdfWith(`4 0 obj (\n5 0 obj<<${script}>>endobj) endobj`), /script/],
  ['an object inside a comment', pdfWith(`% 5 0 obj<<${script}>>endobj\n`), /script/],
  [
    'an object inside a stream',
    pdfWith(stream('', Buffer.concat([noise, latin1(`5 0 obj<<${script}>>endobj`)]))),
    /script/,
  ],
  ['a word that looks like a stream', pdfWith(`4 0 obj<</A<<>>/B(>>stream)${script}>>endobj`), /script/],
  ['a dictionary that readers close differently', pdfWith(`4 0 obj<</A>>${script}>>endobj`), /can’t read/],
  ['an array that closes a dictionary', pdfWith(`4 0 obj<</A[>>]${script}>>endobj`), /can’t read/],
  ['a keyword inside a dictionary', pdfWith(`4 0 obj<</A endobj ${script}>>endobj`), /can’t read/],
  ['an object that does not end', pdfWith('4 0 obj<</A(x'), /can’t read/],
  ['an object stream in another encoding', pdfWith(stream('/First 4/Filter/LZWDecode', noise)), /can’t read/],
  [
    'an object stream in two encodings',
    pdfWith(stream('/First 4/Filter[/ASCIIHexDecode/FlateDecode]', noise)),
    /can’t read/,
  ],
  [
    'an object stream with an indirect encoding',
    pdfWith(stream('/First 4/Filter 8 0 R', noise)),
    /can’t read/,
  ],
  [
    'an object stream with a predictor',
    pdfWith(stream('/First 4/Filter/FlateDecode/DecodeParms<<>>', packed('x'))),
    /can’t read/,
  ],
  ['an object stream that is not compressed', pdfWith(stream('/First 4', latin1('x'))), /can’t read/],
  ['an object stream that is damaged', pdfWith(stream('/First 4/Filter/FlateDecode', noise)), /can’t read/],
  [
    'a compression bomb',
    pdfWith(stream('/First 4/Filter/FlateDecode', deflateSync(Buffer.alloc(40_000_000)))),
    /can’t read/,
  ],
  [
    'two compression bombs',
    pdfWith(
      ...[1, 2].map(() => stream('/First 4/Filter/FlateDecode', deflateSync(Buffer.alloc(13_000_000)))),
    ),
    /can’t read/,
  ],
  ['encryption', pdfWith('trailer<</Encrypt 5 0 R/ID[<00><00>]>>'), /encrypted/],
  [
    'encrypted object streams',
    pdfWith(stream('/First 4/Filter/FlateDecode', noise), 'trailer<</Encrypt 5 0 R>>'),
    /encrypted/,
  ],
  ['encryption in a stream of references', pdfWith(stream('/Type/XRef/Encr#79pt 5 0 R', noise)), /encrypted/],
]

test.each(refused)('%s is refused', async (_name, bytes, message) => {
  await expect(inspectPdf(bytes)).rejects.toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_TYPE', message: expect.stringMatching(message) }),
  )
  await expect(inspectPdf(bytes)).rejects.toThrow(/Print it to PDF again or upload a photo/)
})

test('files made to be slow take less than a second of CPU time', async () => {
  const bytes = 10_000_000
  for (const [start, repeated, isRefused] of [
    ['', ' obj%', true],
    ['', ' obj(', true],
    ['', ' obj<</First 1>>%', true],
    ['', ' obj<</First 1>>', false],
    ['1 0 obj [', '/A/B', true],
    ['1 0 obj <<', '/#41#41 1', true],
  ] as const) {
    const file = latin1(start + repeated.repeat(bytes / repeated.length))
    const error = await withinCpuMs(1000, () =>
      inspectPdf(file).then(
        () => null,
        (error: unknown) => error,
      ),
    )
    expect(error !== null, repeated).toBe(isRefused)
  }
})

test('any bytes are accepted or refused with a sentence', async () => {
  const words = [
    'obj',
    '1 0 obj',
    '<<',
    '>>',
    '[',
    ']',
    '(',
    ')',
    '%',
    '\n',
    '/A',
    '/First',
    'stream',
    'x',
    '5 0 R',
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...words)), async (parts) => {
      const error = await inspectPdf(latin1(parts.join(' '))).catch((error: unknown) => error)
      if (error !== undefined) expect(error).toMatchObject({ code: 'UNSUPPORTED_TYPE' })
      const hidden = latin1(`${parts.join(' ')}\n7 0 obj <<${script}>>`)
      await expect(inspectPdf(hidden)).rejects.toThrow(/Print it/)
    }),
    { numRuns: 500 },
  )
})
