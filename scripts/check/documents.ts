import { posix } from 'node:path'

/** Every text file by its path from the root, and the paths of all files and folders. */
export type Repository = {
  texts: Readonly<Record<string, string>>
  paths: ReadonlySet<string>
}

/** @param paths every file; `texts` holds the ones whose content is checked */
export const repositoryOf = (
  texts: Readonly<Record<string, string>>,
  paths: readonly string[],
): Repository => ({
  texts,
  paths: new Set(paths.flatMap((path) => [path, ...foldersAbove(path)])),
})

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)]
}

/** Text that a citation can name in a Markdown document, with its numbered section. */
type DocumentEntry = { section: string; text: string }

const withoutMarkup = (text: string): string => text.replace(/[`*]|\\(?=\|)/g, '').trim()

/**
 * The headings of a document, and its paragraphs, list items, bold phrases and table cells. The
 * section is the number of the nearest numbered heading ("## 4. States"), or ''.
 */
export function documentEntries(markdown: string): DocumentEntry[] {
  let section = ''
  return markdown.split('\n').flatMap((line): DocumentEntry[] => {
    const [, number] = /^#+ (\d+)\./.exec(line) ?? []
    if (number !== undefined) section = number
    const parts = line.startsWith('|') ? line.split(/(?<!\\)\|/) : [line.replace(/^(#+|-|\d+\.)\s+/, '')]
    const bold = [...line.matchAll(/\*\*(.+?)\*\*/g)].map(([, text = '']) => text)
    return [...parts, ...bold]
      .map((text) => ({ section, text: withoutMarkup(text) }))
      .filter(({ text }) => text !== '')
  })
}

/** Whether an entry begins with this title, in one of the sections if any are named. */
export function hasEntry(
  entries: readonly DocumentEntry[],
  title: string,
  sections: readonly string[],
): boolean {
  const start = withoutMarkup(title)
  return entries.some(
    ({ section, text }) =>
      (sections.length === 0 || sections.includes(section)) &&
      text.startsWith(start) &&
      !/^[\p{L}\p{N}]/u.test(text.slice(start.length)),
  )
}

/** The anchors that GitHub gives to the headings of a document. */
export const headingAnchors = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
