import { byteCollector, concat, text } from './byte-collector.ts'
import { exifWith, readOrientation } from './exif-orientation.ts'
import { checkPixels, type PixelLimit, type Refusal, type Walk } from './picture-bounds.ts'

const signatureBytes = 8
const checksumBytes = 4
/** Encoders write 8 KiB a chunk, some 2 KiB. */
const maxChunks = 20_000
/** A longer color profile, or Exif block, is dropped. */
const maxExtraBytes = 1024 * 1024

const critical = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND'])
/**
 * What the colors and the size need. All other chunks are dropped: texts, XMP, the time, makers'
 * own, and the further frames of an animation.
 */
const extra = new Set(['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'bKGD', 'pHYs', 'hIST'])

const isCritical = (name: string): boolean => name.charCodeAt(0) < 0x61

/** The CRC-32 that ends a chunk (PNG specification, annex D). Chunks made here are short. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const named = concat(
    Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
    data,
  )
  const all = new Uint8Array(named.length + 8)
  const view = new DataView(all.buffer)
  view.setUint32(0, data.length)
  all.set(named, 4)
  view.setUint32(all.length - checksumBytes, checksum(named))
  return all
}

/**
 * Reads chunk by chunk: IHDR first, IDAT somewhere, IEND last and nothing after it (PNG
 * specification, 5.6). Keeps the picture without its metadata.
 */
export function walkPng(limit: PixelLimit): Walk {
  const collector = byteCollector()
  /** What the next `left` bytes are: kept, dropped, or collected to be read. */
  let state: 'header' | 'keep' | 'drop' | 'IHDR' | 'eXIf' | 'ended' = 'keep'
  let left = signatureBytes
  let chunks = 0
  let hasPixels = false
  let hasExif = false
  let isEnding = false
  let output: Uint8Array[] = []

  function takeHeader(header: Uint8Array): Refusal | null {
    const length = new DataView(header.buffer).getUint32(0)
    const name = text(header.subarray(4))
    if (!/^[a-zA-Z]{4}$/.test(name) || length > 0x7fffffff) return 'unsupported'
    if (isCritical(name) && !critical.has(name)) return 'unsupported'
    if ((chunks === 0) !== (name === 'IHDR') || (name === 'IHDR' && length !== 13)) return 'unsupported'
    if (name === 'IEND' && length !== 0) return 'unsupported'
    if (++chunks > maxChunks) return 'unsupported'
    hasPixels ||= name === 'IDAT'
    isEnding = name === 'IEND'
    left = length + checksumBytes
    const isRead = name === 'IHDR' || (name === 'eXIf' && !hasExif && length <= maxExtraBytes)
    if (isRead) {
      state = name
      collector.start(left)
    } else {
      state = critical.has(name) || (extra.has(name) && length <= maxExtraBytes) ? 'keep' : 'drop'
    }
    if (state === 'keep' || state === 'IHDR') output.push(header)
    return null
  }

  function takeData(data: Uint8Array): Refusal | null {
    const read = state
    startHeader()
    if (read === 'IHDR') {
      output.push(data)
      const view = new DataView(data.buffer)
      return checkPixels(view.getUint32(0), view.getUint32(4), limit)
    }
    hasExif = true
    const orientation = readOrientation(data.subarray(0, -checksumBytes))
    if (orientation !== 1) output.push(chunk('eXIf', exifWith(orientation)))
    return null
  }

  function startHeader(): void {
    state = isEnding ? 'ended' : 'header'
    collector.start(8)
  }

  /** Keeps or drops what has arrived of a chunk. Returns the offset after it. */
  function pass(bytes: Uint8Array, offset: number): number {
    const end = Math.min(bytes.length, offset + left)
    if (state === 'keep') output.push(bytes.subarray(offset, end))
    left -= end - offset
    if (left === 0) startHeader()
    return end
  }

  return {
    push(bytes) {
      output = []
      for (let offset = 0; offset < bytes.length;) {
        if (state === 'ended') return 'unsupported'
        if (state === 'keep' || state === 'drop') {
          offset = pass(bytes, offset)
          continue
        }
        offset = collector.take(bytes, offset)
        const all = collector.result()
        const refusal = all && (state === 'header' ? takeHeader(all) : takeData(all))
        if (refusal) return refusal
      }
      return output
    },
    finish: () => state === 'ended' && hasPixels,
  }
}
