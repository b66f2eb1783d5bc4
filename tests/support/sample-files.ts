import { crc32 } from 'node:zlib'

/** One chunk of a PNG. */
export function pngChunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
/** One gray pixel, deflated. */
const pixels = Buffer.from('789c6368000000820081', 'hex')

/** A PNG of one pixel, with additional chunks before the pixels. */
export const samplePng = (...more: Buffer[]): Buffer =>
  Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

/** One segment of a JPEG: marker, length, data. */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length + 2)
  return Buffer.concat([Buffer.from([0xff, marker]), length, data])
}

/** A file with the segments of a small JPEG. Its scan is arbitrary bytes. */
export const sampleJpeg = (...more: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...more,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0])),
    jpegSegment(0xc4, Buffer.alloc(20)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
  ])

/** A PDF of one empty page that contains this text and has at least this size. */
export function samplePdf(text = 'Amoxicillin 500 mg', byteSize = 0): Buffer {
  const start = Buffer.from(
    [
      '%PDF-1.4',
      `% ${text}`,
      '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
      '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
      '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>> endobj',
      '',
    ].join('\n'),
  )
  const end = Buffer.from('trailer <</Root 1 0 R/Size 4>>\nstartxref\n0\n%%EOF\n')
  const room = Math.max(0, byteSize - start.length - end.length)
  return Buffer.concat([start, Buffer.alloc(room, '%filling\n'), end])
}

/** The bytes in chunks of this size, as a connection delivers them. */
export function inChunks(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}
