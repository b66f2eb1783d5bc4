import { gunzipSync } from 'node:zlib'
import { copyUnpooled } from './copy-unpooled.server.ts'
import { cutPage, fillPage, sizeOfCut, type CutPage } from './cut-page.server.ts'
import { createGzipTemplate, fillGzip, readParts, type GzipTemplate } from './gzip-template.server.ts'

/** The parts of a page that depend on its frame, in the order of the page. */
export type FrameParts = { visitor: () => readonly string[]; guest: readonly string[] }

/** The bytes between the nonces, or the whole page compressed. */
type Bytes = { parts: readonly Buffer[] } | { template: GzipTemplate }

/**
 * A page, or a reply of the API, in memory. From the first client on that accepts gzip, it is
 * stored compressed only, in a sixth of the memory, and decompressed for clients that do not.
 * @param nonce the one in the text; null for a reply of the API
 */
export function createStoredPage(text: string, nonce: string | null) {
  const parts = (nonce === null ? [text] : text.split(nonce)).map((part) => copyUnpooled(Buffer.from(part)))
  let stored: Bytes = { parts }
  /** Null when the page cannot be cut; undefined before the first guest. */
  let cut: CutPage | null | undefined

  function compress(nonceLength: number): void {
    if ('parts' in stored) stored = { template: createGzipTemplate(stored.parts, nonceLength) }
  }

  return {
    /** Memory used, in bytes. It changes with the first gzip client and the first guest. */
    size: (): number =>
      ('parts' in stored
        ? stored.parts.reduce((sum, part) => sum + part.length, 0)
        : stored.template.bytes.length) + (cut ? sizeOfCut(cut) : 0),

    /** The page with this nonce. */
    fill(newNonce: string, gzip: boolean): Buffer<ArrayBuffer> {
      const fill = Buffer.from(newNonce)
      if (gzip) compress(fill.length)
      if ('parts' in stored) {
        return Buffer.concat(stored.parts.flatMap((part, i) => (i === 0 ? [part] : [fill, part])))
      }
      const compressed = fillGzip(stored.template, fill)
      return gzip ? compressed : gunzipSync(compressed)
    },

    /** With a guest's frame. Null when the visitor's cannot be cut out of the page. */
    fillForGuest(frame: FrameParts, options: { nonce: string; gzip: boolean }): Buffer<ArrayBuffer> | null {
      if (cut === undefined) {
        cut = cutPage('parts' in stored ? stored.parts : readParts(stored.template), frame.visitor())
      }
      if (cut && options.gzip) compress(options.nonce.length)
      return cut && fillPage(cut, frame.guest, options)
    },
  }
}

export type StoredPage = ReturnType<typeof createStoredPage>
