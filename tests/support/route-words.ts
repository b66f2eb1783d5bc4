import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a route's code names: fields, and quoted words such as the values of an enum. */
export type RouteWords = { names: readonly string[]; literals: readonly string[] }

const folders = { '#app': 'app', '#server': 'server', '#domain': 'server/domain', '#db': 'db' } as const

function importedFile(from: string, specifier: string): string | null {
  const [, alias = '', rest = ''] = /^(#app|#server|#domain|#db)\/(.*)$/.exec(specifier) ?? []
  const folder = Object.entries(folders).find(([name]) => name === alias)?.[1]
  const file = folder ? join(folder, rest) : specifier.startsWith('.') ? join(dirname(from), specifier) : null
  return file !== null && existsSync(file) ? file : null
}

/**
 * The words of a route's file and the files that it imports, where its schemas are. So a new
 * route's fields are found without a list.
 */
export function routeWords(file: string): RouteWords {
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/from '([^']+)'/g)].flatMap(([, specifier = '']) => {
    const path = importedFile(file, specifier)
    return path === null ? [] : [readFileSync(path, 'utf8')]
  })
  const code = [text, ...imported].map((part) => part.replaceAll(/^import .*$|\/\*[^]*?\*\/|\/\/.*$/gm, ''))
  const found = (pattern: RegExp): string[] => [
    ...new Set(code.flatMap((part) => [...part.matchAll(pattern)].map(([, word = '']) => word))),
  ]
  return {
    names: found(/(?<=[{,(\s])([a-z][A-Za-z]{1,25})(?=\??:|,|\s*\})/g),
    literals: found(/'([a-z][\w-]{0,24})'/gi),
  }
}
