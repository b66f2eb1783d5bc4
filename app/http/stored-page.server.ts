import { copyUnpooled } from './copy-unpooled.server.ts'
import { cutPage, fillPage, sizeOfCut, type CutPage } from './cut-page.server.ts'
import { createGzipTemplate, fillGzip, readParts, type GzipTemplate } from './gzip-template.server.ts'

/** The parts of a page that depend on its frame, in the order of the page. */
export type FrameParts = { visitor: () => readonly string[]; guest: readonly string[] }

/** At least one of both. The parts are the bytes between the nonces. */
type Bytes =
  | { parts: readonly Buffer[]; template: GzipTemplate | null }
  | { parts: null; template: GzipTemplate }

/**
 * A page, or a reply of the API, in memory. Once a client has accepted gzip, it is stored
 * compressed, in a sixth of the memory. Later clients that do not accept gzip bring the plain bytes
 * back.
 * @param nonce the one in the text; null for a reply of the API
 */
export function createStoredPage(text: string, nonce: string | null) {
  const between = (nonce === null ? [text] : text.split(nonce)).map((part) => copyUnpooled(Buffer.from(part)))
  let stored: Bytes = { parts: between, template: null }
  let cut: CutPage | null = null

  function compress(nonceLength: number): GzipTemplate {
    const template = createGzipTemplate(stored.parts ?? readParts(stored.template), nonceLength)
    stored = { parts: null, template }
    return template
  }

  function restore(template: GzipTemplate): readonly Buffer[] {
    const parts = readParts(template)
    stored = { parts, template }
    return parts
  }

  return {
    /** What it takes of memory, in bytes. It changes with the kinds of clients. */
    size: (): number =>
      (stored.parts ?? []).reduce((sum, { length }) => sum + length, 0) +
      (stored.template?.bytes.length ?? 0) +
      (cut ? sizeOfCut(cut) : 0),

    /** The page with this nonce. */
    fill(newNonce: string, gzip: boolean): Buffer<ArrayBuffer> {
      const filling = Buffer.from(newNonce)
      if (gzip) return fillGzip(stored.template ?? compress(filling.length), filling)
      const parts = stored.parts ?? restore(stored.template)
      return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [filling, part])))
    },

    /** With a guest's frame. Null when the visitor's cannot be cut out of the page. */
    fillForGuest(frame: FrameParts, options: { nonce: string; gzip: boolean }): Buffer<ArrayBuffer> | null {
      cut ??= cutPage(stored.parts ?? readParts(stored.template), frame.visitor())
      return cut && fillPage(cut, frame.guest, options)
    },
  }
}

export type StoredPage = ReturnType<typeof createStoredPage>
