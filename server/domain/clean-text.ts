/** Control characters except tab and line feed. */
const controlCharacters = /[^\P{Cc}\t\n]/gu

/**
 * Controls that reorder the text after them. With one, "A12" can show as "A21". Right-to-left names
 * need none: their letters have a direction.
 */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/gu

/** Text of invisible characters only: spaces, joiners, direction marks. */
const invisible = /^[\p{Z}\p{Cf}\p{Cc}]*$/u

/** Whether a text shows nothing to a reader. */
export const isBlank = (text: string): boolean => invisible.test(text)

/**
 * Cleans multi-line input: removes control characters and normalizes line breaks, which browsers
 * send as CR LF but count as one character.
 */
export const cleanLines = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(controlCharacters, '').trim()

/** Cleans single-line input: control characters become a space, and text keeps its order. */
export const cleanLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .replace(bidiControls, '')
    .trim()

/** What a field says that holds a NUL character. */
export const nulMessage = 'This can’t contain a NUL character.'

/**
 * Whether a text holds a NUL character, which Postgres cannot store and SQLite can. No person types
 * one, so every door refuses it, on both engines.
 */
export const hasNul = (text: string): boolean => text.includes('\0')

/** How much of a path names a field. A deeper one would only repeat what the client sent. */
const maxPath = 4

/**
 * The first field of a parsed JSON value whose text or name holds a NUL character, such as
 * `items.0.name`; null when there is none. Takes any depth.
 */
export function findNulField(value: unknown): string | null {
  const pending: { value: unknown; path: readonly string[] }[] = [{ value, path: [] }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path } = next
    if (typeof next.value === 'string' && hasNul(next.value)) return path.join('.')
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const [name, child] of Object.entries(next.value)) {
      if (hasNul(name)) return [...path, name.replaceAll('\0', '␀')].join('.')
      const isLeaf = typeof child !== 'object' && typeof child !== 'string'
      if (!isLeaf) pending.push({ value: child, path: path.length < maxPath ? [...path, name] : path })
    }
  }
  return null
}
