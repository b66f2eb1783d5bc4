import type { ChainLink } from '#db/audit/audit.ts'

/** A head of the audit chain: its last link's number and hash. */
export type Head = Pick<ChainLink, 'seq' | 'hash'>

export const formatHead = ({ seq, hash }: Head): string => `${seq}:${hash}`

const headPattern = /^(\d{1,15}):([\w-]{43})$/

/** The head that `formatHead` wrote; null for any other text. */
export function parseHead(text: string): Head | null {
  const [, seq, hash] = headPattern.exec(text) ?? []
  return seq !== undefined && hash !== undefined ? { seq: Number(seq), hash } : null
}

/** A place outside the database where heads are saved. */
export type HeadStore = {
  save: (head: Head, at: Date, signal: AbortSignal) => Promise<void>
  /** The saved heads. Null when the place cannot be read. */
  read: (() => AsyncIterable<Head>) | null
}
