/** Control characters except tab and line feed. */
const controlCharacters = /[^\P{Cc}\t\n]/gu

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

/** Cleans single-line input: control characters become a space. */
export const cleanLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
