import { byteCollector, concat, text } from './byte-collector.ts'
import { exifWith, readOrientation } from './exif-orientation.ts'
import { fileHeadBytes } from './files.ts'
import { checkPixels, type PixelLimit, type Refusal, type Walk } from './picture-bounds.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const app0 = 0xe0
const app1 = 0xe1
const app2 = 0xe2
const app14 = 0xee
const comment = 0xfe
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
/** The three frames that browsers decode: baseline, extended and progressive. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2
/** The other frames, and hierarchical pictures: browsers show a broken picture. */
const isUnsupported = (marker: number): boolean =>
  (marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xcc) || marker === 0xde

/** A progressive picture has about ten; each one costs the reader a pass over all pixels. */
const maxScans = 100
/** A color profile can take 255 segments. */
const maxSegments = 1000

const startsWith = (bytes: Uint8Array, letters: string): boolean =>
  bytes.length >= letters.length && text(bytes.subarray(0, letters.length)) === letters

const segment = (marker: number, data: Uint8Array): Uint8Array =>
  concat(Uint8Array.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff), data)

const exifName = 'Exif\0\0'

/**
 * What is kept of an application segment. Colors need Adobe's transform and the ICC profile, and
 * readers need JFIF's density. Of Exif only the orientation stays. Thumbnails, XMP, IPTC, makers'
 * notes and lists of further pictures are dropped.
 */
function cleanApplication(marker: number, data: Uint8Array): Uint8Array | null {
  if (marker === app0 && startsWith(data, 'JFIF\0') && data.length >= 14) {
    return segment(marker, concat(data.subarray(0, 12), new Uint8Array(2)))
  }
  if (marker === app1 && startsWith(data, exifName)) {
    const orientation = readOrientation(data.subarray(exifName.length))
    if (orientation === 1) return null
    return segment(marker, concat(data.subarray(0, exifName.length), exifWith(orientation)))
  }
  if (marker === app2 && startsWith(data, 'ICC_PROFILE\0')) return segment(marker, data)
  if (marker === app14 && startsWith(data, 'Adobe') && data.length >= 12) {
    return segment(marker, data.subarray(0, 12))
  }
  return null
}

/**
 * Reads marker by marker from SOI through a frame and its scans to EOI (ITU-T T.81, annex B), and
 * the trailer that phones add. Keeps what the picture needs, without the metadata and the trailer.
 * Holds one segment in memory at most.
 */
export function walkJpeg(limit: PixelLimit): Walk {
  const collector = byteCollector()
  const trailer = walkTrailer()
  let state: 'start' | 'marker' | 'code' | 'length' | 'segment' | 'scan' | 'scan-code' | 'ended' = 'start'
  let marker = 0
  let segments = 0
  let scans = 0
  let hasFrame = false
  let hasExif = false
  let output: Uint8Array[] = []
  collector.start(2)

  function takeCode(code: number): Refusal | null {
    marker = code
    if (code === endOfImage) {
      state = 'ended'
      output.push(Uint8Array.of(0xff, endOfImage))
      return scans > 0 ? null : 'unsupported'
    }
    if (code === 0x01 || isRestart(code)) {
      // Neither means anything between two segments.
      state = 'marker'
      return null
    }
    state = 'length'
    collector.start(2)
    const isMarker = code >= 0xc0 && code !== startOfImage && !isUnsupported(code)
    return isMarker && ++segments <= maxSegments ? null : 'unsupported'
  }

  function takeSegment(data: Uint8Array): Refusal | null {
    state = marker === startOfScan ? 'scan' : 'marker'
    if (marker === startOfScan) {
      output.push(segment(marker, data))
      return hasFrame && ++scans <= maxScans ? null : 'unsupported'
    }
    if (isFrame(marker)) {
      if (hasFrame || data.length < 9) return 'unsupported'
      hasFrame = true
      output.push(segment(marker, data))
      const view = new DataView(data.buffer, data.byteOffset)
      return checkPixels(view.getUint16(3), view.getUint16(1), limit)
    }
    if ((marker & 0xf0) === 0xe0) {
      const isExif = marker === app1 && startsWith(data, exifName)
      // Readers take the first.
      const cleaned = isExif && hasExif ? null : cleanApplication(marker, data)
      hasExif ||= isExif
      if (cleaned && (scans === 0 || !isExif)) output.push(cleaned)
      return null
    }
    if (marker !== comment) output.push(segment(marker, data))
    return null
  }

  /** Passes a scan's data through, up to the marker that ends it. Returns the offset after it. */
  function passScan(bytes: Uint8Array, offset: number): number {
    let at = offset
    for (;;) {
      const next = bytes.indexOf(0xff, at)
      if (next === -1 || next === bytes.length - 1) {
        output.push(bytes.subarray(offset, next === -1 ? bytes.length : next))
        if (next !== -1) state = 'scan-code'
        return bytes.length
      }
      const code = bytes[next + 1] ?? 0
      // A stuffed zero, a restart, or the first of several fill bytes before a marker.
      const isData = code === 0 || isRestart(code)
      if (!isData && code !== 0xff) {
        output.push(bytes.subarray(offset, next))
        state = 'scan-code'
        return next + 1
      }
      at = next + (isData ? 2 : 1)
    }
  }

  function step(bytes: Uint8Array, offset: number): { offset: number; refusal: Refusal | null } {
    if (state === 'scan') return { offset: passScan(bytes, offset), refusal: null }
    if (state === 'ended') {
      trailer.push(bytes.subarray(offset))
      return { offset: bytes.length, refusal: null }
    }
    if (state === 'start' || state === 'length' || state === 'segment') {
      const after = collector.take(bytes, offset)
      const all = collector.result()
      return { offset: after, refusal: all && takeCollected(all) }
    }
    const byte = bytes[offset] ?? 0
    if (state === 'marker') {
      state = 'code'
      return { offset: offset + 1, refusal: byte === 0xff ? null : 'unsupported' }
    }
    if (state === 'scan-code' && (byte === 0 || byte === 0xff || isRestart(byte))) {
      if (byte === 0xff) output.push(Uint8Array.of(0xff))
      else {
        output.push(Uint8Array.of(0xff, byte))
        state = 'scan'
      }
      return { offset: offset + 1, refusal: null }
    }
    // Any number of fill bytes may precede a marker.
    return { offset: offset + 1, refusal: byte === 0xff ? null : takeCode(byte) }
  }

  function takeCollected(all: Uint8Array): Refusal | null {
    if (state === 'start') {
      output.push(all)
      state = 'marker'
      return null
    }
    if (state === 'segment') return takeSegment(all)
    const length = new DataView(all.buffer).getUint16(0)
    if (length < 2) return 'unsupported'
    state = 'segment'
    collector.start(length - 2)
    return length === 2 ? takeSegment(new Uint8Array(0)) : null
  }

  return {
    push(bytes) {
      output = []
      for (let offset = 0; offset < bytes.length;) {
        const next = step(bytes, offset)
        if (next.refusal) return next.refusal
        offset = next.offset
      }
      return output
    },
    finish: () => state === 'ended' && trailer.finish(),
  }
}

/**
 * What follows a JPEG's end: nothing, padding, or what many phones append: a second picture (the
 * depth or brightness of the first), a short video, or Samsung's list of such parts.
 */
function walkTrailer(): { push: (bytes: Uint8Array) => void; finish: () => boolean } {
  let head = new Uint8Array(0)
  let tail = new Uint8Array(0)
  let isPadding = true
  return {
    push(bytes) {
      if (head.length < fileHeadBytes) head = concat(head, bytes.subarray(0, fileHeadBytes))
      tail = concat(tail, bytes.subarray(-4)).slice(-4)
      isPadding &&= bytes.every((byte) => byte === 0)
    },
    finish: () =>
      isPadding ||
      startsWith(head, '\xff\xd8\xff') ||
      text(head.subarray(4, 8)) === 'ftyp' ||
      text(tail) === 'SEFT',
  }
}
