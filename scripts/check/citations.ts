import { posix } from 'node:path'
import { documentEntries, hasEntry, headingAnchors } from './document-entries.ts'

/** The documents that comments cite by a short name. */
const documents: Readonly<Record<string, string>> = {
  specification: 'docs/specification.md',
  contract: 'docs/contract.md',
  'settled decisions': 'docs/settled-decisions.md',
}

/** The tests of the checks quote what is refused. */
const isScanned = (path: string): boolean =>
  /\.(tsx?|cjs|css|md|example)$/.test(path) && !path.startsWith('tests/check/')

/** Made when the shop or a tool runs, so not in the repository. */
const isMadeLater = (path: string): boolean =>
  /^(\.\/)?(data|build|node_modules)\b|^secrets\.json$/.test(path)

const fileName = /\.(tsx?|cjs|mjs|js|css|md|json|svg|png|tsv|gz)$/
const topFolder = /^(app|db|docs|migrations|public|scripts|server|tests)\//
const aliases: readonly (readonly [string, string])[] = [
  ['#domain/', 'server/domain/'],
  ['#', ''],
]

/** Comments and paragraphs as one line each, so that a citation may wrap. */
const unwrapped = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\*)|\/\/|#|>)?\s*/g, ' ')

const quoted = /["'“‘]([^"'”’]+)["'”’]|`([^`]+)`/g
const names = (list: string | undefined): string[] =>
  [...(list ?? '').matchAll(quoted)].map(([, plain, code]) => plain ?? code ?? '')

const quotedList = String.raw`(?:["'“‘][^"'”’]{1,80}["'”’]|${'`'}[^${'`'}]{1,80}${'`'})`
const titles = String.raw`((?:,? (?:and )?${quotedList})*)`
const numbers = String.raw`sections? (\d(?:(?:, | and )\d)*)`

/**
 * What comments and documents cite and the repository does not have: documents and their sections, relative links, paths in
 * Markdown, and lines that Markdown quotes from a file.
 * @param texts each text file by its path from the root
 * @param paths every file of the repository
 */
export function citationFaults(texts: Readonly<Record<string, string>>, paths: readonly string[]): string[] {
  const known = new Set(paths.flatMap((path) => [path, ...foldersAbove(path)]))
  const baseNames = new Set(paths.map((path) => posix.basename(path)))

  const findDocument = (cited: string): string | undefined => {
    if (known.has(cited)) return cited
    return paths.find((path) => /\/\d{4}$/.test(cited) && path.startsWith(`${cited}-`))
  }

  const sectionFaults = (from: string, document: string, sections: string[], cited: string[]): string[] => {
    const entries = documentEntries(texts[document] ?? '')
    return [
      ...sections
        .filter((section) => !entries.some((entry) => entry.section === section))
        .map((section) => `${from} cites section ${section} of ${document}, which it does not have.`),
      ...cited
        .filter((title) => !hasEntry(entries, title, sections))
        .map((title) => `${from} cites "${title}" of ${document}, which it does not have.`),
    ]
  }

  const documentFaults = (from: string, text: string): string[] => {
    const flat = unwrapped(text)
    return [
      ...[
        ...flat.matchAll(
          new RegExp(String.raw`(?<![\w./])((?:\.\./)*docs(?:/[\w-]+)*(?:/[\w-]+\.\w+|/?))${titles}`, 'g'),
        ),
      ].flatMap(([, path = '', list]) => {
        const cited = path.replace(/^(\.\.\/)+/, '').replace(/\/$/, '')
        const document = findDocument(cited)
        if (document === undefined) return [`${from} cites ${cited}, which does not exist.`]
        return document.endsWith('.md') ? sectionFaults(from, document, [], names(list)) : []
      }),
      ...[
        ...flat.matchAll(
          new RegExp(
            String.raw`\b(settled decisions|decisions|specification|contract), (?:${numbers})?${titles}`,
            'gi',
          ),
        ),
      ].flatMap(([whole, name = '', sections, list]) => {
        const cited = names(list)
        if (sections === undefined && cited.length === 0) return []
        const document = documents[name.toLowerCase()]
        if (document === undefined)
          return [`${from} cites "${whole}"; name the settled decisions or a record.`]
        return sectionFaults(from, document, sections?.match(/\d/g) ?? [], cited)
      }),
      ...[...flat.matchAll(/\bsection (\d) of the specification/gi)].flatMap(([, section = '']) =>
        sectionFaults(from, 'docs/specification.md', [section], []),
      ),
    ]
  }

  const linkFaults = (from: string, text: string): string[] =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/.test(target)) return []
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? from : posix.join(posix.dirname(from), path).replace(/\/$/, '')
      if (!known.has(file)) return [`${from} links to ${target}, which does not exist.`]
      if (anchor === undefined || headingAnchors(texts[file] ?? '').includes(anchor)) return []
      return [`${from} links to ${target}, and there is no such heading.`]
    })

  const pathFaults = (from: string, text: string): string[] =>
    [...text.matchAll(/(?<!`)`([\w#@.$/-]+)`(?!`)/g)].flatMap(([, cited = '']) => {
      const isPath = fileName.test(cited) || topFolder.test(cited)
      if (!isPath || cited.startsWith('/') || isMadeLater(cited)) return []
      const [alias, folder] = aliases.find(([prefix]) => cited.startsWith(prefix)) ?? ['', '']
      const path = (folder + cited.slice(alias.length)).replace(/\/$/, '')
      const exists =
        known.has(path) || known.has(posix.join(posix.dirname(from), path)) || baseNames.has(path)
      return exists ? [] : [`${from} names ${cited}, which does not exist.`]
    })

  const quoteFaults = (from: string, text: string): string[] =>
    [...text.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)].flatMap(([, path = '', code = '']) => {
      const source = texts[path]
      if (source === undefined) return [`${from} quotes ${path}, which does not exist.`]
      const lines = source.split('\n').map((line) => line.trim())
      let next = 0
      return code.split('\n').flatMap((line) => {
        const wanted = line.trim()
        if (wanted === '' || wanted.includes('…')) return []
        const at = lines.indexOf(wanted, next)
        if (at < 0) return [`${from} quotes a line that ${path} does not have: ${wanted}`]
        next = at + 1
        return []
      })
    })

  return Object.entries(texts)
    .filter(([path]) => isScanned(path))
    .flatMap(([path, text]) => [
      ...documentFaults(path, text),
      ...(path.endsWith('.md')
        ? [...linkFaults(path, text), ...pathFaults(path, text), ...quoteFaults(path, text)]
        : []),
    ])
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)]
}
