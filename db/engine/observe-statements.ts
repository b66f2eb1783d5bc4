import type { DatabaseConnection, Dialect } from 'kysely'

/** A statement as observers see it: without parameters and without literals. */
export type ObservedStatement = { operation: string; table: string | null; text: string }

/** Runs a statement, and may measure it. */
export type StatementObserver = <T>(statement: ObservedStatement, run: () => Promise<T>) => Promise<T>

const maxCharacters = 2000
const maxTexts = 1000
const literal = /'(?:[^']|'')*'|(?<![\w$"])\d+(?:\.\d+)?\b/g
const table = /\b(?:from|into|update|table)\s+(?:only\s+)?"?(\w+)"?/i

/** What may be recorded of a statement. Its values are parameters; literals become `?`. */
export function describeStatement(sql: string): ObservedStatement {
  const text = sql.replace(literal, '?').slice(0, maxCharacters)
  const operation = /^[\s(]*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  return { operation, table: table.exec(text)?.[1] ?? null, text }
}

/** The same dialect, whose statements run through the observer. */
export function observeStatements(dialect: Dialect, observe: StatementObserver): Dialect {
  const known = new Map<string, ObservedStatement>()
  const describe = (sql: string): ObservedStatement => {
    const found = known.get(sql)
    if (found) return found
    const statement = describeStatement(sql)
    if (known.size < maxTexts) known.set(sql, statement)
    return statement
  }
  const observed = (connection: DatabaseConnection): DatabaseConnection => {
    const run = connection.executeQuery.bind(connection)
    // In place, because drivers find what belongs to a connection by the object itself.
    connection.executeQuery = (query) => observe(describe(query.sql), () => run(query))
    return connection
  }
  return {
    ...dialect,
    createDriver: () => {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      return { ...driver, acquireConnection: async () => observed(await acquire()) }
    },
  }
}
