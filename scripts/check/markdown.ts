import { posix } from 'node:path'
import { headingAnchors, type Repository } from './documents.ts'

/** What a Markdown file names that the repository does not have. */
export const markdownFaults = (repository: Repository, from: string, text: string): string[] => [
  ...linkFaults(repository, from, text),
  ...pathFaults(repository, from, text),
  ...identifierFaults(repository, from, text),
  ...quoteFaults(repository, from, text),
  ...logLineFaults(repository, from, text),
  ...scriptFaults(repository, from, text),
]

const beside = (from: string, path: string): string =>
  posix.join(posix.dirname(from), path).replace(/\/$/, '')

function linkFaults({ texts, paths }: Repository, from: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? from : beside(from, path)
    if (!paths.has(file)) return [`${from} links to ${target}, which does not exist.`]
    if (anchor === undefined || headingAnchors(texts[file] ?? '').includes(anchor)) return []
    return [`${from} links to ${target}, but the heading does not exist.`]
  })
}

const isFile = /\.(tsx?|cjs|mjs|js|css|md|json|svg|png|tsv|gz)$/
const isBelowTop = /^(app|db|docs|migrations|public|scripts|server|tests)\//
/** The shop or a tool writes these files, so they are not in the repository. */
const isGenerated = /^(\.\/)?(data|build|node_modules)\b|^secrets\.json$/

/** A path in backticks: from the root, relative to the document, or a file name alone. */
function pathFaults({ paths }: Repository, from: string, text: string): string[] {
  const names = new Set([...paths].map((path) => posix.basename(path)))
  return [...text.matchAll(/(?<!`)`([\w#@.$/-]+)`(?!`)/g)].flatMap(([, cited = '']) => {
    if (!isFile.test(cited) && !isBelowTop.test(cited)) return []
    // A URL, a file extension, or a generated file.
    if (/^\/|^\.\w/.test(cited) || isGenerated.test(cited)) return []
    const path = cited
      .replace(/^#domain\//, 'server/domain/')
      .replace(/^#/, '')
      .replace(/\/$/, '')
    return paths.has(path) || paths.has(beside(from, path)) || names.has(path)
      ? []
      : [`${from} names ${cited}, which does not exist.`]
  })
}

/** "`name` in `path`": the file must contain the name. */
function identifierFaults({ texts }: Repository, from: string, text: string): string[] {
  return [...text.matchAll(/`([\w.']+)` in\s+`([\w./-]+\.tsx?)`/g)].flatMap(([, name = '', path = '']) =>
    texts[path]?.includes(name) ? [] : [`${from} names ${name} in ${path}, which does not contain it.`],
  )
}

/** A code block with a path after its language quotes lines of that file, in order. */
function quoteFaults({ texts }: Repository, from: string, text: string): string[] {
  return [...text.matchAll(/^( *)```\w+ (\S+)\n([^]*?)^\1```$/gm)].flatMap(([, , path = '', code = '']) => {
    const source = texts[path]
    if (source === undefined) return [`${from} quotes ${path}, which does not exist.`]
    const lines = source.split('\n').map((line) => line.trim())
    let next = 0
    return code.split('\n').flatMap((line) => {
      const quoted = line.trim()
      if (quoted === '' || quoted.includes('…')) return []
      const at = lines.indexOf(quoted, next)
      if (at < 0) return [`${from} quotes a line that ${path} does not have: ${quoted}`]
      next = at + 1
      return []
    })
  })
}

/** "`message` (warn)": a log line that the shop must be able to write. */
function logLineFaults({ texts }: Repository, from: string, text: string): string[] {
  const sources = Object.entries(texts).filter(([path]) => /^(app|server)\/.*\.tsx?$/.test(path))
  return [...text.matchAll(/`([^`\n]+)`\s+\((?:info|warn|error)\)/g)].flatMap(([, message = '']) =>
    sources.some(([, source]) => source.includes(`'${message}'`))
      ? []
      : [`${from} has the log line "${message}", which the shop does not log.`],
  )
}

/** `npm run name`: package.json must have the script. */
function scriptFaults({ texts }: Repository, from: string, text: string): string[] {
  // The contract also lists planned commands.
  if (from === 'docs/contract.md') return []
  return [...text.matchAll(/npm run (\w[\w:-]*\w)/g)].flatMap(([, script = '']) =>
    texts['package.json']?.includes(`"${script}":`)
      ? []
      : [`${from} names npm run ${script}, which package.json does not have.`],
  )
}
