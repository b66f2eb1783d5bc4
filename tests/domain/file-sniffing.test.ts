import { createSniffer } from '#domain/files/file-sniffing.ts'
import type { FileType } from '#domain/files/files.ts'
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
  for (const chunk of inChunks(bytes, size)) if (!sniffer.push(chunk)) return null
  return sniffer.finish()
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
