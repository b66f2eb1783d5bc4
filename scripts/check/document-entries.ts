/** What a citation can name in a Markdown document, with the section that it is in. */
export type DocumentEntry = { section: string; text: string }

const withoutMarks = (text: string): string => text.replace(/[`*_>]|\\(?=\|)/g, '').trim()

/**
 * The headings of a document, and how its paragraphs, list items, bold phrases and table cells begin.
 * The section is the number of the nearest numbered heading ("## 4. States"), or ''.
 */
export function documentEntries(markdown: string): DocumentEntry[] {
  let section = ''
  return markdown.split('\n').flatMap((line): DocumentEntry[] => {
    const [, number] = /^#+ (\d+)\./.exec(line) ?? []
    if (number !== undefined) section = number
    const parts = line.startsWith('|') ? line.split(/(?<!\\)\|/) : [line.replace(/^(#+|-|\d+\.)\s+/, '')]
    const bold = [...line.matchAll(/\*\*(.+?)\*\*/g)].map(([, text = '']) => text)
    return [...parts, ...bold]
      .map((text) => ({ section, text: withoutMarks(text) }))
      .filter(({ text }) => text !== '')
  })
}

/** Whether an entry begins with these words, in one of the sections if any are named. */
export const hasEntry = (
  entries: readonly DocumentEntry[],
  words: string,
  sections: readonly string[],
): boolean =>
  entries.some(
    ({ section, text }) =>
      (sections.length === 0 || sections.includes(section)) &&
      text.startsWith(words) &&
      !/^[\p{L}\p{N}]/u.test(text.slice(words.length)),
  )

/** The anchors that GitHub gives to the headings of a document. */
export const headingAnchors = (markdown: string): string[] =>
  markdown.split('\n').flatMap((line) => {
    const [, heading] = /^#+ (.+)$/.exec(line) ?? []
    return heading === undefined
      ? []
      : [
          heading
            .toLowerCase()
            .replace(/[^\p{L}\p{N} _-]/gu, '')
            .replaceAll(' ', '-'),
        ]
  })
