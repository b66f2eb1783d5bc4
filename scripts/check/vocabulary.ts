import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'

/**
 * Identifier parts that docs/glossary.md retired. An identifier is split at its capitals and
 * digits: `isDeskOrder` has the parts `is`, `desk` and `order`. Only exact parts count, so `weight`
 * is not `weigh`.
 */
export const retiredParts: ReadonlySet<string> = new Set(
  `anew anybody asked begun books called catalogue colour colours deed desk everybody
  gone kept kin led licence machines maker makers marks meanwhile mended moved nobody nobodys
  quietly said somebody sought stands stood tell tells telling told together undone weigh
  weighed weighs whoever worn`.split(/\s+/),
)

/** Names that the API, stored values or a library fix. */
const exceptions: ReadonlySet<string> = new Set([
  // An AppError code: HTTP 410.
  'GONE',
  // Fields of /api/pharmacies.
  'licenceNumber',
  'licenceExpiry',
  // A key in encrypted JSON: when the pharmacist asked a question.
  'askedAt',
  // A stored status of a line's review, and the queue's filter for it.
  'asked',
  // A column of db/seed/care/ingredient-names.tsv.
  'catalogue_name',
  // Matchers of Vitest.
  'toHaveBeenCalled',
  'toHaveBeenCalledTimes',
  'toHaveBeenCalledWith',
])

/** What comments no longer say. */
const retiredPhrases =
  /\b(anew|anybody|call(?:s|ed)? off|catalogue|everybody|led home|meanwhile|nobody|somebody|the desk|whoever)\b/i

/** Comments wrap at this column (docs/style.md). */
const commentWidth = 100

export type SourceFile = { path: string; text: string }

const partsOf = (name: string): string[] =>
  name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((part) => part.toLowerCase()) ?? []

const isRetired = (name: string): boolean =>
  !exceptions.has(name) && partsOf(name).some((part) => retiredParts.has(part))

/** One fault per retired identifier, retired phrase in a comment, and line of a wide comment. */
export function vocabularyFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => [
    ...(isRetired(basename(path).split('.')[0] ?? '') ? [`${path}: the file name uses a retired word.`] : []),
    ...faultsOf(path, text),
  ])
}

function faultsOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const faults: string[] = []
  const seenIdentifiers = new Set<string>()
  const seenComments = new Set<number>()
  const at = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1

  function checkComment({ pos, end }: ts.CommentRange): void {
    if (seenComments.has(pos)) return
    seenComments.add(pos)
    const first = at(pos)
    // Code after the comment on its last line does not count.
    const lines = text
      .slice(0, end)
      .split('\n')
      .slice(first - 1)
    for (const [index, line] of lines.entries()) {
      if (line.length > commentWidth && !/https?:\/\//.test(line)) {
        faults.push(`${path}:${first + index}: the comment is wider than ${commentWidth} columns.`)
      }
    }
    const phrase = retiredPhrases.exec(text.slice(pos, end))?.[0]
    if (phrase !== undefined)
      faults.push(`${path}:${first}: the comment says "${phrase}" (docs/glossary.md).`)
  }

  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !seenIdentifiers.has(node.text) && isRetired(node.text)) {
      seenIdentifiers.add(node.text)
      faults.push(
        `${path}:${at(node.getStart(source))}: ${node.text} uses a retired word (docs/glossary.md).`,
      )
    }
    for (const child of node.getChildren(source)) visit(child)
    for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? []) checkComment(range)
    for (const range of ts.getTrailingCommentRanges(text, node.end) ?? []) checkComment(range)
  }
  visit(source)
  return faults
}

/**
 * Applied migrations keep their words, and the list of all migrations repeats their names.
 * Generated types have the layout of their generator.
 */
const isExempt = (path: string): boolean =>
  /^migrations\/(?:00(?:0\d|1\d|2[01])-|all\.ts$)/.test(path) || path === 'tests/http/api-types.d.ts'

/** Reads the TypeScript files among these paths, without migrations 0001 to 0021. */
export const readSources = (paths: readonly string[]): SourceFile[] =>
  paths
    .filter((path) => /\.tsx?$/.test(path) && !isExempt(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
