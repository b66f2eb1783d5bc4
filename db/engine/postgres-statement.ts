import type { QueryResult } from 'kysely'
import pg from 'pg'
import { rowReader, type ResultColumn } from './rows.ts'

const int8 = 20

/** Text needs no parser. */
const textTypes = new Set([25, 1043])
/**
 * Counts and cents are far below 2^53, so a bigint becomes a number. Other types use pg's parsers.
 */
export const getTypeParser = (oid: number): ResultColumn['convert'] => {
  if (oid === int8) return Number
  return textTypes.has(oid) ? undefined : (pg.types.getTypeParser(oid, 'text') as ResultColumn['convert'])
}

/** A connection's prepared statements, each with its row reader; null for those without rows. */
export type Prepared = Map<string, ReadRow | null>
type ReadRow = (values: readonly unknown[]) => Record<string, unknown>

type Described = { fields: { name: string; dataTypeID: number }[] }
type Wire = {
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse: (message: { name: string; text: string }) => void
  bind: (message: { statement: string; values: unknown[] }) => void
  describe: (message: { type: 'P'; name: string }) => void
  execute: (message: { portal: string }) => void
  sync: () => void
}

/**
 * A named statement. pg's own `Query` describes the rows at every run; this one does once per
 * connection, because the columns of a prepared statement never change (PostgreSQL, "cached plan
 * must not change result type"). It also reads each row straight into its final form. Both save a
 * sixth of the shop's CPU time per order (docs/decisions/0004-portable-sql.md).
 */
class NamedStatement extends pg.Query {
  readonly name: string
  readonly text: string
  readonly #values: readonly unknown[]
  readonly #prepared: Prepared
  readonly #done: (result: QueryResult<unknown>) => void
  readonly #failed: (error: Error) => void
  readonly #rows: unknown[] = []
  #changed: bigint | undefined
  #misread: Error | undefined

  constructor(
    { name, text, values }: { name: string; text: string; values: readonly unknown[] },
    prepared: Prepared,
    done: (result: QueryResult<unknown>) => void,
    failed: (error: Error) => void,
  ) {
    super(text)
    this.name = name
    this.text = text
    this.#values = values
    this.#prepared = prepared
    this.#done = done
    this.#failed = failed
  }

  requiresPreparation(): boolean {
    return true
  }

  prepare(wire: Wire): void {
    const { name, text } = this
    if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
      wire.parse({ name, text })
      wire.submittedNamedStatements[name] = text
    }
    wire.bind({ statement: name, values: this.#values.map(toWire) })
    if (!this.#prepared.has(name)) wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '' })
    wire.sync()
  }

  handleRowDescription({ fields }: Described): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, convert: getTypeParser(dataTypeID) }))
    this.#prepared.set(this.name, rowReader(columns))
  }

  handleDataRow({ fields }: { fields: readonly unknown[] }): void {
    const read = this.#prepared.get(this.name)
    if (!read || this.#misread) return
    try {
      this.#rows.push(read(fields))
    } catch (error) {
      this.#misread = error instanceof Error ? error : new Error('A row cannot be read.', { cause: error })
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (!this.#prepared.has(this.name)) this.#prepared.set(this.name, null)
    if (!text.startsWith('SELECT')) this.#changed = BigInt(/(?<!\d)\d+$/.exec(text)?.[0] ?? 0)
  }

  handleReadyForQuery(): void {
    if (this.#misread) return this.#failed(this.#misread)
    this.#done({
      rows: this.#rows,
      ...(this.#changed !== undefined && { numAffectedRows: this.#changed }),
    })
  }

  handleError(error: Error): void {
    this.#failed(error)
  }
}

/** A value in the form of the wire protocol: text, bytes or null. */
function toWire(value: unknown): string | Uint8Array | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  throw new TypeError('A parameter must be text, a number, a boolean, a date, bytes or null.')
}

/**
 * Runs a statement under its name, prepared once per connection. Throws pg's `DatabaseError`, with
 * the stack of the caller.
 */
export async function runNamed<R>(
  client: pg.PoolClient,
  prepared: Prepared,
  statement: { name: string; text: string; values: readonly unknown[] },
): Promise<QueryResult<R>> {
  try {
    return (await new Promise<QueryResult<unknown>>((done, failed) => {
      client.query(new NamedStatement(statement, prepared, done, failed))
    })) as QueryResult<R>
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
