import { CamelCasePlugin, type KyselyPlugin } from 'kysely'

/** One column of a result: the name the engine gave it and how its values become ours. */
export type ResultColumn = { name: string; convert?: ((value: unknown) => unknown) | undefined }

const camelCased = (name: string): string =>
  name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Builds the function that turns a row's values into an object of the row type. Made once a statement. */
export function rowReader(
  columns: readonly ResultColumn[],
): (values: readonly unknown[]) => Record<string, unknown> {
  const readers = columns.map(({ name, convert }) => ({ key: camelCased(name), convert }))
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < readers.length; i++) {
      const { key, convert } = readers[i]!
      const value = values[i]
      row[key] = convert && value !== null ? convert(value) : value
    }
    return row
  }
}

/** snake_case in SQL, camelCase in TypeScript: names on the way in here, rows on the way out in `rowReader`. */
export function camelCaseNames(): KyselyPlugin {
  const names = new CamelCasePlugin()
  return {
    transformQuery: (args) => names.transformQuery(args),
    transformResult: async ({ result }) => result,
  }
}

/**
 * Neither engine streams a query: an open cursor would hold one snapshot (SQLite's one reader) or one connection
 * (Postgres) for as long as a slow client reads. Long lists are read in keyset pages instead.
 */
export function refuseStream(): never {
  throw new Error('Queries are not streamed; read in keyset pages.')
}
