/** Everything that is no text but the tabulator and the line break. */
const notText = /[^\P{Cc}\t\n]/gu

/** Characters that show nothing, of which alone no word is made: blanks, joiners, marks of direction. */
const nothingToSee = /^[\p{Z}\p{Cf}\p{Cc}]*$/u

/** Whether nobody would read anything there. */
export const isBlank = (text: string): boolean => nothingToSee.test(text)

/** What somebody wrote on several lines, less what is no text. A browser sends each line break as two characters and counts it as one. */
export const typedLines = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(notText, '').trim()

/** What somebody wrote on one line: what would break it is a blank. */
export const typedLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
