import { detectFileType, fileHeadBytes, type FileType } from './files.ts'
import { createSignatureScan } from './polyglot-signatures.ts'

/** Validates a file of one type as its bytes arrive. */
type Walk = {
  /** False when it cannot be a file of this type anymore. */
  push: (bytes: Uint8Array) => boolean
  /** Whether the file was complete. */
  finish: () => boolean
}

export type Sniffer = {
  /** Reads the next bytes. Returns false once the file cannot be of an accepted type. */
  push: (bytes: Uint8Array) => boolean
  /** The file's type, or null when the type is not accepted. */
  finish: () => FileType | null
}

const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
const startsWith = (bytes: Uint8Array, signatures: readonly number[]): boolean =>
  signatures.every((expected, i) => bytes[i] === expected)

const pngSignatureBytes = 8
const jpegSignature = [0xff, 0xd8, 0xff]

const walks: Record<FileType, () => Walk> = {
  'image/png': walkPng,
  'image/jpeg': walkJpeg,
  'application/pdf': walkPdf,
}

/**
 * Detects PDF, JPEG and PNG by their structure from the first byte to the last, in constant memory,
 * not by a name or a declared type. A polyglot (a file that is also a web page or an archive) is
 * rejected. Nothing is decoded, so a decompression bomb costs no more than its bytes.
 */
export function createSniffer(): Sniffer {
  let head = new Uint8Array(0)
  let type: FileType | null = null
  let walk: Walk | null = null
  let signatures = createSignatureScan(null)

  const follow = (bytes: Uint8Array): boolean => walk !== null && signatures.push(bytes) && walk.push(bytes)

  return {
    push(bytes) {
      if (walk) return follow(bytes)
      head = concat(head, bytes)
      if (head.length < fileHeadBytes) return true
      type = detectFileType(head)
      if (type === null) return false
      walk = walks[type]()
      signatures = createSignatureScan(type)
      return follow(head)
    },
    finish: () => (walk?.finish() && signatures.finish() ? type : null),
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/** Collects a fixed number of bytes across chunks; null until all have arrived. */
function collector(
  size: number,
): (bytes: Uint8Array, offset: number) => { taken: number; all: Uint8Array | null } {
  const all = new Uint8Array(size)
  let filled = 0
  return (bytes, offset) => {
    const taken = Math.min(size - filled, bytes.length - offset)
    all.set(bytes.subarray(offset, offset + taken), filled)
    filled += taken
    if (filled < size) return { taken, all: null }
    filled = 0
    return { taken, all }
  }
}

/**
 * Reads chunk by chunk: IHDR first, IDAT somewhere, IEND last and nothing after it (PNG
 * specification, 5.6).
 */
function walkPng(): Walk {
  const collect = collector(8)
  let skip = pngSignatureBytes
  let chunks = 0
  let hasPixels = false
  let isEnded = false

  const take = (header: Uint8Array): boolean => {
    const length = new DataView(header.buffer).getUint32(0)
    const name = text(header.subarray(4))
    if (!/^[a-zA-Z]{4}$/.test(name) || length > 0x7fffffff) return false
    if ((chunks === 0) !== (name === 'IHDR') || (name === 'IHDR' && length !== 13)) return false
    if (name === 'IEND' && length !== 0) return false
    chunks++
    hasPixels ||= name === 'IDAT'
    isEnded = name === 'IEND'
    skip = length + 4
    return true
  }

  return {
    push(bytes) {
      let offset = 0
      while (offset < bytes.length) {
        const skipped = Math.min(skip, bytes.length - offset)
        skip -= skipped
        offset += skipped
        if (offset === bytes.length) break
        if (isEnded) return false
        const { taken, all } = collect(bytes, offset)
        offset += taken
        if (all && !take(all)) return false
      }
      return true
    },
    finish: () => isEnded && skip === 0 && hasPixels,
  }
}

const endOfImage = 0xd9
const startOfScan = 0xda
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/**
 * Reads marker by marker from SOI through a frame and a scan to EOI (ITU-T T.81, annex B), and the
 * trailer that phones add.
 */
function walkJpeg(): Walk {
  const collectLength = collector(2)
  const trailer = walkTrailer()
  let state: 'marker' | 'code' | 'length' | 'scan' | 'scan-code' | 'ended' = 'marker'
  let skip = 2
  let marker = 0
  let hasFrame = false
  let hasScan = false

  const takeCode = (code: number): boolean => {
    marker = code
    if (code === endOfImage) {
      state = 'ended'
      return hasFrame && hasScan
    }
    if (code === 0x01 || isRestart(code)) {
      state = 'marker'
      return true
    }
    state = 'length'
    return code >= 0xc0 && code !== 0xd8
  }

  const takeLength = (all: Uint8Array): boolean => {
    const length = new DataView(all.buffer).getUint16(0)
    skip = length - 2
    hasFrame ||= isFrame(marker)
    hasScan ||= marker === startOfScan
    state = marker === startOfScan ? 'scan' : 'marker'
    return length >= 2
  }

  return {
    push(bytes) {
      let offset = 0
      while (offset < bytes.length) {
        const skipped = Math.min(skip, bytes.length - offset)
        skip -= skipped
        offset += skipped
        if (offset === bytes.length) break
        if (state === 'ended') {
          trailer.push(bytes.subarray(offset))
          break
        }
        if (state === 'length') {
          const { taken, all } = collectLength(bytes, offset)
          offset += taken
          if (all && !takeLength(all)) return false
          continue
        }
        if (state === 'scan') {
          const next = bytes.indexOf(0xff, offset)
          if (next === -1) break
          offset = next + 1
          state = 'scan-code'
          continue
        }
        const byte = bytes[offset++] ?? 0
        if (state === 'marker') {
          if (byte !== 0xff) return false
          state = 'code'
        } else if (byte === 0xff) {
          // Any number of fill bytes may precede a marker.
        } else if (state === 'scan-code' && (byte === 0 || isRestart(byte))) {
          state = 'scan'
        } else if (!takeCode(byte)) {
          return false
        }
      }
      return true
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
      startsWith(head, jpegSignature) ||
      text(head.subarray(4, 8)) === 'ftyp' ||
      text(tail) === 'SEFT',
  }
}

/** Readers look for %%EOF within the last 1,024 bytes (ISO 32000-1, annex H.3.18). */
const pdfTailBytes = 1024

function walkPdf(): Walk {
  let tail = new Uint8Array(0)
  return {
    push(bytes) {
      tail = concat(tail, bytes.subarray(-pdfTailBytes)).slice(-pdfTailBytes)
      return true
    },
    finish: () => /startxref\s+\d+\s+%%EOF/.test(text(tail)),
  }
}
