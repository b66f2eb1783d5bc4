import { documentEntries, hasEntry, type Repository } from './documents.ts'
import { markdownFaults } from './markdown.ts'

/** The tests of the checks quote what is refused. */
const isScanned = (path: string): boolean =>
  /\.(tsx?|cjs|css|md|example)$/.test(path) && !path.startsWith('tests/check/')

/**
 * What comments and documents cite and the repository does not have: documents and their sections.
 * In Markdown also relative links, paths, and lines that are quoted from a file.
 */
export const citationFaults = (repository: Repository): string[] =>
  Object.entries(repository.texts)
    .filter(([path]) => isScanned(path))
    .flatMap(([path, text]) => [
      ...documentFaults(repository, path, text),
      ...(path.endsWith('.md') ? markdownFaults(repository, path, text) : []),
    ])

/** The documents that comments cite by a short name. */
const documents: Readonly<Record<string, string>> = {
  specification: 'docs/specification.md',
  contract: 'docs/contract.md',
  'settled decisions': 'docs/settled-decisions.md',
}

const title = String.raw`(?:["'“‘][^"'”’]{1,80}["'”’]|${'`'}[^${'`'}]{1,80}${'`'})`
const titles = String.raw`((?:,? (?:and )?${title})*)`
const sections = String.raw`sections? (\d(?:(?:, | and )\d)*)`
/** `docs/contract.md, "Labels"`, `docs/decisions/0012` */
const pathCitation = new RegExp(String.raw`(?<![\w./])((?:\.\./)*docs(?:/[\w-]+(?:\.\w+)?)+)/?${titles}`, 'g')
/** `specification, section 9, "Prices"`, `contract, "Labels"` */
const namedCitation = new RegExp(
  String.raw`\b(settled decisions|decisions|specification|contract),(?: ${sections})?${titles}`,
  'gi',
)
const sectionCitation = /\bsection (\d) of the specification/gi

/** Comments and paragraphs as one line each, because a citation may wrap. */
const unwrapped = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\*)|\/\/|#|>)?\s*/g, ' ')

const titlesIn = (list: string | undefined): string[] =>
  [...(list ?? '').matchAll(new RegExp(title, 'g'))].map(([quoted]) => quoted.slice(1, -1))

function documentFaults(repository: Repository, from: string, text: string): string[] {
  const flat = unwrapped(text)
  return [
    ...[...flat.matchAll(pathCitation)].flatMap(([, path = '', list]) => {
      const cited = path.replace(/^(\.\.\/)+/, '')
      const document = findDocument(repository, cited)
      if (document === undefined) return [`${from} cites ${cited}, which does not exist.`]
      return sectionFaults(repository, from, { document, sections: [], titles: titlesIn(list) })
    }),
    ...[...flat.matchAll(namedCitation)].flatMap(([citation, name = '', numbers, list]) => {
      const cited = { sections: numbers?.match(/\d/g) ?? [], titles: titlesIn(list) }
      if (cited.sections.length + cited.titles.length === 0) return []
      const document = documents[name.toLowerCase()]
      return document === undefined
        ? [`${from} cites ${citation}: name the settled decisions, or a record of docs/decisions.`]
        : sectionFaults(repository, from, { document, ...cited })
    }),
    ...[...flat.matchAll(sectionCitation)].flatMap(([, section = '']) =>
      sectionFaults(repository, from, { document: 'docs/specification.md', sections: [section], titles: [] }),
    ),
  ]
}

/** A decision record may be cited by its number alone. */
function findDocument({ paths }: Repository, cited: string): string | undefined {
  if (paths.has(cited)) return cited
  return /\/\d{4}$/.test(cited) ? [...paths].find((path) => path.startsWith(`${cited}-`)) : undefined
}

type Cited = { document: string; sections: readonly string[]; titles: readonly string[] }

function sectionFaults({ texts }: Repository, from: string, cited: Cited): string[] {
  const entries = documentEntries(texts[cited.document] ?? '')
  return [
    ...cited.sections
      .filter((section) => !entries.some((entry) => entry.section === section))
      .map((section) => `${from} cites section ${section} of ${cited.document}, which does not contain it.`),
    ...cited.titles
      .filter((one) => !hasEntry(entries, one, cited.sections))
      .map((one) => `${from} cites "${one}" of ${cited.document}, which does not contain it.`),
  ]
}
