import { CamelCasePlugin, type KyselyPlugin } from 'kysely'

/** One column of a result: the name the engine gave it and how its values become ours. */
export type ResultColumn = { name: string; convert?: ((value: unknown) => unknown) | undefined }

const camelCased = (name: string): string =>
  name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Builds the function that turns a row's values into an object of the row type. Made once a statement, as code: a loop that
 * sets properties by name costs five times what SQLite takes to answer, because every statement's rows look different to it.
 * The code holds nothing but the columns' places and their names as JSON.
 */
export function rowReader(
  columns: readonly ResultColumn[],
): (values: readonly unknown[]) => Record<string, unknown> {
  const converters = columns.map(({ convert }) => convert)
  const properties = columns.map(({ name, convert }, i) => {
    const value = convert ? `values[${i}] === null ? null : converters[${i}](values[${i}])` : `values[${i}]`
    return `${JSON.stringify(camelCased(name))}: ${value}`
  })
  // oxlint-disable-next-line typescript/no-implied-eval
  const build = new Function('converters', `return (values) => ({ ${properties.join(', ')} })`) as (
    converters: readonly ResultColumn['convert'][],
  ) => (values: readonly unknown[]) => Record<string, unknown>
  return build(converters)
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
