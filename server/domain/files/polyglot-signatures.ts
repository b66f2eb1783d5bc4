import type { FileType } from './files.ts'

type Mark = {
  bytes: readonly number[]
  /** Whether letters of either case count, and a character must follow that ends a tag's name. */
  isTag?: true
  /** Short ones stand in any big file by chance, so they count near its beginning and its end alone. */
  isShort?: true
}

const codes = (letters: string): number[] => Array.from(letters, (letter) => letter.charCodeAt(0))

/** A page that a browser would run: found anywhere in a file, it is meant. */
const markup: readonly Mark[] = [
  { bytes: codes('<script'), isTag: true },
  { bytes: codes('<iframe'), isTag: true },
  { bytes: codes('<html'), isTag: true },
  { bytes: codes('<!doctype html'), isTag: true },
  { bytes: codes('<svg'), isTag: true, isShort: true },
  { bytes: codes('<?php'), isTag: true, isShort: true },
]
/** The end record of a ZIP archive, by which it is read from behind. */
const archives: readonly Mark[] = [{ bytes: codes('PK\x05\x06'), isShort: true }]
const documents: readonly Mark[] = [{ bytes: codes('%PDF-'), isShort: true }]

/** How far from either end a short mark counts: where the end record of an archive can stand (APPNOTE.TXT, 4.3.16). */
const reach = 65_557
const longest = 15

const lower = (byte: number | undefined): number =>
  byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : (byte ?? -1)
const endsName = (byte: number | undefined): boolean =>
  byte === undefined || byte === 0x2f || byte === 0x3e || byte <= 0x20

function isAt(bytes: Uint8Array, offset: number, mark: Mark): boolean {
  for (const [i, code] of mark.bytes.entries()) {
    const byte = bytes[offset + i]
    if ((mark.isTag ? lower(byte) : byte) !== code) return false
  }
  return !mark.isTag || endsName(bytes[offset + mark.bytes.length])
}

/** Looks through a file, piece by piece, for what would make it something else besides. @param type the file's own */
export function createMarksScan(type: FileType | null) {
  const groups = new Map<number, Mark[]>()
  for (const mark of [...markup, ...archives, ...(type === 'application/pdf' ? [] : documents)]) {
    const [first = 0] = mark.bytes
    groups.set(first, [...(groups.get(first) ?? []), mark])
  }
  let carried = new Uint8Array(0)
  let carriedFrom = 0
  let lastShort = -1

  /** Whether a mark begins before `end` that settles it. */
  function finds(bytes: Uint8Array, end: number): boolean {
    for (const [first, marks] of groups) {
      for (let at = bytes.indexOf(first); at !== -1 && at < end; at = bytes.indexOf(first, at + 1)) {
        const found = marks.find((mark) => isAt(bytes, at, mark))
        if (!found) continue
        if (!found.isShort || carriedFrom + at < reach) return true
        lastShort = Math.max(lastShort, carriedFrom + at)
      }
    }
    return false
  }

  return {
    /** False when the file holds one. */
    push(bytes: Uint8Array): boolean {
      const all = new Uint8Array(carried.length + bytes.length)
      all.set(carried)
      all.set(bytes, carried.length)
      // One that may go on in the next piece waits for it.
      const end = Math.max(0, all.length - longest)
      if (finds(all, end)) return false
      carried = all.slice(end)
      carriedFrom += end
      return true
    },
    /** False when the file held one. */
    finish(): boolean {
      if (finds(carried, carried.length)) return false
      return lastShort === -1 || lastShort < carriedFrom + carried.length - reach
    },
  }
}
