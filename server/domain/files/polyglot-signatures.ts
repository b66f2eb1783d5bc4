import type { FileType } from './files.ts'

type Signature = {
  bytes: readonly number[]
  /** Ignore case, and require a character that ends the tag name. */
  isTag?: true
  /**
   * Short signatures occur in large files by chance, so they count only near the beginning and the
   * end.
   */
  isShort?: true
}

const charCodes = (letters: string): number[] => Array.from(letters, (letter) => letter.charCodeAt(0))

/** Markup that a browser would run. Anywhere in a file, it is intentional. */
const markup: readonly Signature[] = [
  { bytes: charCodes('<script'), isTag: true },
  { bytes: charCodes('<iframe'), isTag: true },
  { bytes: charCodes('<html'), isTag: true },
  { bytes: charCodes('<!doctype html'), isTag: true },
  { bytes: charCodes('<svg'), isTag: true, isShort: true },
  { bytes: charCodes('<?php'), isTag: true, isShort: true },
]
/** The end record of a ZIP archive; readers search for it from the end. */
const archives: readonly Signature[] = [{ bytes: charCodes('PK\x05\x06'), isShort: true }]
const documents: readonly Signature[] = [{ bytes: charCodes('%PDF-'), isShort: true }]

/**
 * How far from either end a short signature counts: the range in which an archive's end record can
 * be (APPNOTE.TXT, 4.3.16).
 */
const shortSignatureReach = 65_557
const longest = 15

const lower = (byte: number | undefined): number =>
  byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : (byte ?? -1)
const endsName = (byte: number | undefined): boolean =>
  byte === undefined || byte === 0x2f || byte === 0x3e || byte <= 0x20

function isAt(bytes: Uint8Array, offset: number, signature: Signature): boolean {
  for (const [i, code] of signature.bytes.entries()) {
    const byte = bytes[offset + i]
    if ((signature.isTag ? lower(byte) : byte) !== code) return false
  }
  return !signature.isTag || endsName(bytes[offset + signature.bytes.length])
}

/**
 * Scans a file, chunk by chunk, for signatures of another format.
 *
 * @param type the file's own type
 */
export function createSignatureScan(type: FileType | null) {
  const groups = new Map<number, Signature[]>()
  for (const signature of [...markup, ...archives, ...(type === 'application/pdf' ? [] : documents)]) {
    const [first = 0] = signature.bytes
    groups.set(first, [...(groups.get(first) ?? []), signature])
  }
  let carried = new Uint8Array(0)
  let carriedFrom = 0
  let lastShort = -1

  /** Whether a conclusive signature starts before `end`. */
  function findsSignature(bytes: Uint8Array, end: number): boolean {
    for (const [first, signatures] of groups) {
      for (let at = bytes.indexOf(first); at !== -1 && at < end; at = bytes.indexOf(first, at + 1)) {
        const found = signatures.find((signature) => isAt(bytes, at, signature))
        if (!found) continue
        if (!found.isShort || carriedFrom + at < shortSignatureReach) return true
        lastShort = Math.max(lastShort, carriedFrom + at)
      }
    }
    return false
  }

  return {
    /** False when the file contains a signature. */
    push(bytes: Uint8Array): boolean {
      const all = new Uint8Array(carried.length + bytes.length)
      all.set(carried)
      all.set(bytes, carried.length)
      // A signature that may continue in the next chunk waits for it.
      const end = Math.max(0, all.length - longest)
      if (findsSignature(all, end)) return false
      carried = all.slice(end)
      carriedFrom += end
      return true
    },
    /** False when the file contained a signature. */
    finish(): boolean {
      if (findsSignature(carried, carried.length)) return false
      return lastShort === -1 || lastShort < carriedFrom + carried.length - shortSignatureReach
    },
  }
}
