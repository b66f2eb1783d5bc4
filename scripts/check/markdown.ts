import { posix } from 'node:path'
import { headingAnchors, type Repository } from './documents.ts'

/** What a Markdown file names and the repository does not have. */
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
    return [`${from} links to ${target}, and there is no such heading.`]
  })
}

const isFile = /\.(tsx?|cjs|mjs|js|css|md|json|svg|png|tsv|gz)$/
const isBelowTop = /^(app|db|docs|migrations|public|scripts|server|tests)\//
/** Made when the shop or a tool runs, so not in the repository. */
const isMadeLater = /^(\.\/)?(data|build|node_modules)\b|^secrets\.json$/

/** `code` of a file or folder: from the root, beside the document, or a file's name alone. */
function pathFaults({ paths }: Repository, from: string, text: string): string[] {
  const names = new Set([...paths].map((path) => posix.basename(path)))
  return [...text.matchAll(/(?<!`)`([\w#@.$/-]+)`(?!`)/g)].flatMap(([, cited = '']) => {
    if (!isFile.test(cited) && !isBelowTop.test(cited)) return []
    // A URL, an ending, or made later.
    if (/^\/|^\.\w/.test(cited) || isMadeLater.test(cited)) return []
    const path = cited
      .replace(/^#domain\//, 'server/domain/')
      .replace(/^#/, '')
      .replace(/\/$/, '')
    return paths.has(path) || paths.has(beside(from, path)) || names.has(path)
      ? []
      : [`${from} names ${cited}, which does not exist.`]
  })
}

/** "`name` in `path`": the file has the name. */
function identifierFaults({ texts }: Repository, from: string, text: string): string[] {
  return [...text.matchAll(/`([\w.']+)` in\s+`([\w./-]+\.tsx?)`/g)].flatMap(([, name = '', path = '']) =>
    texts[path]?.includes(name) ? [] : [`${from} names ${name} in ${path}, which does not have it.`],
  )
}

/** A code block with a path after its language has lines of that file, in their order. */
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

/** "`message` (warn)": a line of the log that the shop can write. */
function logLineFaults({ texts }: Repository, from: string, text: string): string[] {
  const sources = Object.entries(texts).filter(([path]) => /^(app|server)\/.*\.tsx?$/.test(path))
  return [...text.matchAll(/`([^`\n]+)`\s+\((?:info|warn|error)\)/g)].flatMap(([, message = '']) =>
    sources.some(([, source]) => source.includes(`'${message}'`))
      ? []
      : [`${from} has the log line "${message}", which the shop does not write.`],
  )
}

/** `npm run name`: a script of package.json. */
function scriptFaults({ texts }: Repository, from: string, text: string): string[] {
  // The contract also lists planned commands.
  if (from === 'docs/contract.md') return []
  return [...text.matchAll(/npm run (\w[\w:-]*\w)/g)].flatMap(([, script = '']) =>
    texts['package.json']?.includes(`"${script}":`)
      ? []
      : [`${from} names npm run ${script}, which package.json does not have.`],
  )
}
