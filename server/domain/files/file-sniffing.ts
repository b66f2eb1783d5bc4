import { concat, text } from './byte-collector.ts'
import { detectFileType, fileHeadBytes, type FileType } from './files.ts'
import { walkJpeg } from './jpeg-walk.ts'
import { filePixelLimit, type PixelLimit, type Refusal, type Walk } from './picture-bounds.ts'
import { walkPng } from './png-walk.ts'
import { createSignatureScan } from './polyglot-signatures.ts'

export type Sniffer = {
  /**
   * Reads the next bytes. Returns those to keep, or why the file is refused as soon as it is known.
   */
  push: (bytes: Uint8Array) => readonly Uint8Array[] | Refusal
  /** The file's type, or null when the type is not accepted. */
  finish: () => FileType | null
}

const walks: Record<FileType, (limit: PixelLimit) => Walk> = {
  'image/png': walkPng,
  'image/jpeg': walkJpeg,
  'application/pdf': walkPdf,
}

/**
 * Detects PDF, JPEG and PNG by their structure from the first byte to the last, in constant memory,
 * not by a name or a declared type, and drops the metadata of a picture. A polyglot (a file that is
 * also a web page or an archive) is refused, and a picture of more pixels than the limit. Nothing
 * is decoded, so a decompression bomb costs no more than its bytes.
 */
export function createSniffer(limit: PixelLimit = filePixelLimit): Sniffer {
  let head = new Uint8Array(0)
  let type: FileType | null = null
  let walk: Walk | null = null
  let signatures = createSignatureScan(null)

  const follow = (walk: Walk, bytes: Uint8Array): readonly Uint8Array[] | Refusal =>
    signatures.push(bytes) ? walk.push(bytes) : 'unsupported'

  return {
    push(bytes) {
      if (walk) return follow(walk, bytes)
      head = concat(head, bytes)
      if (head.length < fileHeadBytes) return []
      type = detectFileType(head)
      if (type === null) return 'unsupported'
      walk = walks[type](limit)
      signatures = createSignatureScan(type)
      return follow(walk, head)
    },
    finish: () => (walk?.finish() && signatures.finish() ? type : null),
  }
}

/** Readers look for %%EOF within the last 1,024 bytes (ISO 32000-1, annex H.3.18). */
const pdfTailBytes = 1024

/** Keeps every byte. Its content is checked when all of it has arrived (`pdf-objects.ts`). */
function walkPdf(): Walk {
  let tail = new Uint8Array(0)
  return {
    push(bytes) {
      tail = concat(tail, bytes.subarray(-pdfTailBytes)).slice(-pdfTailBytes)
      return [bytes]
    },
    finish: () => /startxref\s+\d+\s+%%EOF/.test(text(tail)),
  }
}
