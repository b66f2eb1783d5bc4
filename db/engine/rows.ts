import { CamelCasePlugin, type KyselyPlugin } from 'kysely'

/** A result column: the engine's name for it, and how to convert its values. */
export type ResultColumn = { name: string; convert?: ((value: unknown) => unknown) | undefined }

const camelCased = (name: string): string =>
  name.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Builds the function that turns a row's values into an object of the row type. It is generated
 * code, once per statement: a loop that sets properties by name costs five times what SQLite takes
 * to answer, because its objects have a different shape for every statement. The code contains only
 * the columns' positions and their names as JSON.
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

/**
 * snake_case in SQL, camelCase in TypeScript. This maps names in queries; `rowReader` maps rows.
 */
export function camelCaseNames(): KyselyPlugin {
  const names = new CamelCasePlugin()
  return {
    transformQuery: (args) => names.transformQuery(args),
    transformResult: async ({ result }) => result,
  }
}

/**
 * Queries are not streamed. An open cursor would hold SQLite's only reader, or a Postgres
 * connection, for as long as a slow client reads. Long lists are read in keyset pages instead.
 */
export function refuseStream(): never {
  throw new Error('Queries are not streamed; read in keyset pages.')
}
