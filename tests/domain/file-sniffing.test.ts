import { createSniffer } from '#domain/files/file-sniffing.ts'
import type { FileType } from '#domain/files/files.ts'
import type { PixelLimit } from '#domain/files/picture-bounds.ts'
import {
  inChunks,
  jpegSegment,
  pngChunk,
  sampleJpeg,
  samplePdf,
  samplePng,
} from '#tests/support/sample-files.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** The detected type of a file that arrives in chunks of this size. */
function sniff(bytes: Uint8Array, size = bytes.length || 1): FileType | null {
  const sniffer = createSniffer()
  for (const chunk of inChunks(bytes, size)) if (typeof sniffer.push(chunk) === 'string') return null
  return sniffer.finish()
}

/** The bytes that are kept of a file, or why it is refused. */
function clean(bytes: Uint8Array, size = bytes.length, limit?: PixelLimit): Buffer | string {
  const sniffer = createSniffer(limit)
  const output: Uint8Array[] = []
  for (const chunk of inChunks(bytes, size)) {
    const parts = sniffer.push(chunk)
    if (typeof parts === 'string') return parts
    output.push(...parts)
  }
  return sniffer.finish() === null ? 'unsupported' : Buffer.concat(output)
}

const text = (content: string): Buffer => Buffer.from(content, 'latin1')
const zipEnd = Buffer.concat([text('PK\x05\x06'), Buffer.alloc(18)])
const filling = Buffer.alloc(200_000, 0x5a)
const padding = filling.toString('latin1')
const comment = (content: string): Buffer => pngChunk('tEXt', text(`Comment\0${content}`))

const accepted: [string, Buffer, FileType][] = [
  ['a PNG', samplePng(), 'image/png'],
  ['a PNG with a comment', samplePng(comment('a < b, PK, <3')), 'image/png'],
  ['a JPEG', sampleJpeg(), 'image/jpeg'],
  ['a JPEG with a thumbnail', sampleJpeg(jpegSegment(0xe1, sampleJpeg())), 'image/jpeg'],
  ['a JPEG with a second picture', Buffer.concat([sampleJpeg(), sampleJpeg()]), 'image/jpeg'],
  ['a JPEG with a film', Buffer.concat([sampleJpeg(), text('\0\0\0\x18ftypmp42'), filling]), 'image/jpeg'],
  [
    'a JPEG with a list of Samsung’s',
    Buffer.concat([sampleJpeg(), text('\0\0\x01\nSEFH...SEFT')]),
    'image/jpeg',
  ],
  ['a padded JPEG', Buffer.concat([sampleJpeg(), Buffer.alloc(3)]), 'image/jpeg'],
  ['a PDF', samplePdf(), 'application/pdf'],
  ['a big PDF', samplePdf('x', 300_000), 'application/pdf'],
  [
    'a PDF with the letters of an archive in its middle',
    samplePdf(`${padding}PK\x05\x06${padding}`),
    'application/pdf',
  ],
  [
    'a PDF with metadata',
    samplePdf('<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">'),
    'application/pdf',
  ],
]

test.each(accepted)('%s is accepted, however it is chunked', (_name, bytes, type) => {
  for (const size of [bytes.length, 65_536, 1000, 7, 1]) expect(sniff(bytes, size), `in ${size}`).toBe(type)
})

const rejected: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['five bytes', text('%PDF-')],
  ['a text', text('Amoxicillin 500 mg, three times a day')],
  ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['a page', text('<!doctype html><html><body>hello</body></html>')],
  ['a Windows program', Buffer.concat([text('MZ\x90\0'), filling])],
  ['a Linux program', Buffer.concat([text('\x7fELF'), filling])],
  ['a script', text('#!/bin/sh\nrm -rf /\n')],
  ['a GIF', text('GIF89a\x01\0\x01\0\0\0\0;')],
  ['an archive', zipEnd],
  ['a PDF behind something', Buffer.concat([text('MZ'), samplePdf()])],
  ['a PNG behind something', Buffer.concat([text(' '), samplePng()])],
  ['a PNG with something behind', Buffer.concat([samplePng(), text('x')])],
  ['a PNG with an archive behind', Buffer.concat([samplePng(), zipEnd])],
  ['a PNG with an archive in a chunk', samplePng(pngChunk('zTXt', zipEnd))],
  ['a PNG with a script in a comment', samplePng(comment('<SCRIPT>alert(1)</SCRIPT>'))],
  ['a PNG with a page in its middle', samplePng(comment(`${padding}<html lang=en>${padding}`))],
  ['a PNG without pixels', Buffer.concat([samplePng().subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))])],
  ['a PNG cut short', samplePng().subarray(0, -5)],
  ['a PNG that is a PDF too', samplePng(comment('\n%PDF-1.4\n'))],
  ['a PNG with a chunk of no name', samplePng(pngChunk('a b!', Buffer.alloc(3)))],
  ['a JPEG cut short', sampleJpeg().subarray(0, -2)],
  ['a JPEG of markers only', text('\xff\xd8\xff\xd9.......')],
  ['a JPEG with an archive behind', Buffer.concat([sampleJpeg(), zipEnd])],
  ['a JPEG with a page behind', Buffer.concat([sampleJpeg(), text('<html><script>alert(1)</script>')])],
  ['a JPEG with a program behind', Buffer.concat([sampleJpeg(), text('MZ\x90\0')])],
  ['a JPEG with PHP in a comment', sampleJpeg(jpegSegment(0xfe, text('<?php system($_GET[0]); ?>')))],
  [
    'a JPEG with an archive in a film',
    Buffer.concat([sampleJpeg(), text('\0\0\0\x18ftypmp42'), filling, zipEnd]),
  ],
  ['a PDF without an end', samplePdf().subarray(0, -20)],
  ['a PDF with its end far away', Buffer.concat([samplePdf(), filling])],
  ['a PDF with an archive behind', Buffer.concat([samplePdf(), zipEnd])],
  ['a PDF with a page in front', samplePdf('<html><body onload=alert(1)>')],
  ['a PDF with a script in its middle', samplePdf(`${padding}<script src=//x>${padding}`)],
  ['a PDF with a drawing in front', samplePdf('<svg/onload=alert(1)>')],
]

test.each(rejected)('%s is rejected, however it is chunked', (_name, bytes) => {
  for (const size of [bytes.length || 1, 65_536, 7, 1]) expect(sniff(bytes, size), `in ${size}`).toBeNull()
})

/** An Exif block with a GPS position and this orientation. */
function exif(orientation: number, order: 'II' | 'MM'): Buffer {
  const block = Buffer.alloc(60)
  block.write(order)
  const put16 = (value: number, at: number) =>
    order === 'II' ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at)
  const put32 = (value: number, at: number) =>
    order === 'II' ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at)
  put16(42, 2)
  put32(8, 4)
  put16(2, 8)
  put16(0x010f, 10)
  put16(2, 12)
  put32(20, 14)
  put32(40, 18)
  put16(0x0112, 22)
  put16(3, 24)
  put32(1, 26)
  put16(orientation, 30)
  block.write('N 40.7128 W 74.0060', 40)
  return block
}

/** The Exif block that holds an orientation only. */
const minimalExif = (orientation: number): Buffer =>
  Buffer.from(
    ['4d4d002a00000008', '0001', '0112000300000001', `000${orientation}0000`, '00000000'].join(''),
    'hex',
  )

const jpegExif = (block: Buffer): Buffer => jpegSegment(0xe1, Buffer.concat([text('Exif\0\0'), block]))
const profile = jpegSegment(0xe2, text('ICC_PROFILE\0\x01\x01 colors'))
const adobe = jpegSegment(0xee, text('Adobe\0d\0\0\0\0\x01'))

test('a JPEG keeps its pixels, colors and orientation, and loses its metadata', () => {
  for (const order of ['II', 'MM'] as const) {
    const photo = Buffer.concat([
      sampleJpeg(
        jpegExif(exif(6, order)),
        jpegSegment(0xe0, text('JFXX\0\x10thumbnail')),
        jpegSegment(0xe1, text('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Ada</x:xmpmeta>')),
        jpegSegment(0xe2, text('MPF\0second picture')),
        profile,
        jpegSegment(0xed, text('Photoshop 3.0\x008BIM IPTC')),
        adobe,
        jpegSegment(0xfe, text('Taken by Ada')),
        jpegExif(exif(3, order)),
      ),
      sampleJpeg(jpegExif(exif(6, order))),
    ])
    for (const size of [photo.length, 1000, 7, 1]) {
      expect(clean(photo, size)).toEqual(sampleJpeg(jpegExif(minimalExif(6)), profile, adobe))
    }
  }
  // An upright picture needs none, and a malformed block counts as upright.
  for (const block of [exif(1, 'II'), exif(9, 'II'), exif(6, 'II').subarray(0, 20), text('XX')]) {
    expect(clean(sampleJpeg(jpegExif(block)))).toEqual(sampleJpeg())
  }
  // The density stays, the thumbnail in the same segment goes.
  const jfif = text('JFIF\0\x01\x01\x01\0\x48\0\x48')
  const withThumbnail = Buffer.concat([jfif, text('\x01\x01RGB')])
  const start = sampleJpeg().subarray(20)
  const soi = Buffer.from([0xff, 0xd8])
  expect(clean(Buffer.concat([soi, jpegSegment(0xe0, withThumbnail), start]))).toEqual(
    Buffer.concat([soi, jpegSegment(0xe0, Buffer.concat([jfif, Buffer.alloc(2)])), start]),
  )
})

test('a PNG keeps its pixels, colors and orientation, and loses its metadata and animation', () => {
  const density = pngChunk('pHYs', Buffer.alloc(9, 1))
  const gamma = pngChunk('gAMA', Buffer.alloc(4, 1))
  const picture = samplePng(
    pngChunk('eXIf', exif(8, 'MM')),
    density,
    pngChunk('tEXt', text('Author\0Ada')),
    pngChunk('zTXt', text('Comment\0\0packed')),
    pngChunk('iTXt', text('XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta>')),
    pngChunk('tIME', Buffer.alloc(7, 1)),
    pngChunk('prVt', text('private')),
    pngChunk('acTL', Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0, 0])),
    pngChunk('fdAT', text('frame')),
    gamma,
  )
  const output = samplePng(pngChunk('eXIf', minimalExif(8)), density, gamma)
  for (const size of [picture.length, 1000, 7, 1]) expect(clean(picture, size)).toEqual(output)
})

test('a picture of too many pixels is refused by its header', () => {
  const withSize = (picture: Buffer, at: number, bytes: string): Buffer => {
    const changed = Buffer.from(picture)
    changed.write(bytes, at, 'hex')
    return changed
  }
  const jpegSize = sampleJpeg().indexOf(Buffer.from([0xff, 0xc0])) + 5
  const refused = 'too-many-pixels'
  // 65,535 × 65,535, 8,400 × 8,400, and no height.
  expect(clean(withSize(sampleJpeg(), jpegSize, 'ffffffff'))).toBe(refused)
  expect(clean(withSize(sampleJpeg(), jpegSize, '20d020d0'))).toBe(refused)
  expect(clean(withSize(sampleJpeg(), jpegSize, '00000001'))).toBe('unsupported')
  expect(clean(withSize(sampleJpeg(), jpegSize, '18b02000'))).toBeInstanceOf(Buffer)
  expect(clean(withSize(samplePng(), 16, '7fffffff7fffffff'))).toBe(refused)
  expect(clean(withSize(samplePng(), 16, '0000753000000001'))).toBe(refused)
  expect(clean(withSize(samplePng(), 16, '0000000000000001'))).toBe('unsupported')
  const limit = { pixels: 4, side: 2 }
  expect(clean(withSize(samplePng(), 16, '0000000300000001'), 9, limit)).toBe(refused)
  // A progressive picture may have many passes, but not any number.
  const pass = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
  const passes = (count: number): Buffer => {
    const end = sampleJpeg().indexOf(pass)
    return Buffer.concat([
      sampleJpeg().subarray(0, end),
      ...Array<Buffer>(count).fill(pass),
      sampleJpeg().subarray(end),
    ])
  }
  expect(clean(passes(50))).toBeInstanceOf(Buffer)
  expect(clean(passes(100))).toBe('unsupported')
})

test('a cleaned picture is accepted and stays the same when it is cleaned again', () => {
  const samples = [
    sampleJpeg(jpegExif(exif(6, 'II')), profile),
    samplePng(comment('Ada'), pngChunk('eXIf', exif(5, 'II'))),
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), { maxLength: 3 }),
      fc.integer({ min: 1, max: 64 }),
      (sample, changes, size) => {
        const bytes = Buffer.from(sample)
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte
        const once = clean(bytes, size)
        expect(clean(bytes)).toEqual(once)
        if (typeof once !== 'string') expect(clean(once)).toEqual(once)
      },
    ),
    { numRuns: 500 },
  )
})

test('chunking never changes the result, even for corrupted files', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(samplePng(), sampleJpeg(), samplePdf()),
      fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), { maxLength: 4 }),
      fc.nat(),
      fc.integer({ min: 1, max: 64 }),
      (sample, changes, end, size) => {
        const bytes = Buffer.from(sample)
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte
        const cut = bytes.subarray(0, end % 3 === 0 ? end % bytes.length : bytes.length)
        expect(sniff(cut, size)).toBe(sniff(cut))
      },
    ),
    { numRuns: 2000 },
  )
})

test('a file with a prefix is never accepted', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(samplePng(), sampleJpeg(), samplePdf()),
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      (sample, before) => {
        expect(sniff(Buffer.concat([before, sample]))).toBeNull()
      },
    ),
    { numRuns: 1000 },
  )
})

test('random bytes are never accepted', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(sniff(bytes)).toBeNull()
    }),
  )
})
