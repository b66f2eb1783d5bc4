import type { CompiledQuery, DatabaseConnection, IsolationLevel, QueryResult } from 'kysely'
import type pg from 'pg'
import type { AnswerWatch } from './answer-limit.ts'
import { getTypeParser, runNamed, type Prepared } from './postgres-statement.ts'
import { refuseStream, rowReader } from './rows.ts'

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => getTypeParser(oid) ?? String,
}

/** What the connections of a pool share. */
export type ConnectionOptions = {
  names: StatementNames
  /** Statements that lift the server's limits within a transaction: behind a pooler only. */
  lifts: readonly string[]
  /** Statements that start together share a packet, and skip what pg repeats. */
  isFast: boolean
  /**
   * Statements may be sent before the one before is answered. Behind a pooler, the second one could
   * run on another connection.
   */
  isPipelined: boolean
  answered: AnswerWatch
  /** A client keeps its prepared statements from one connection to the next. */
  preparedOn: (client: pg.PoolClient) => Prepared
}

const maxNamedStatements = 500

/** Names of prepared statements, by text. */
export type StatementNames = ReturnType<typeof statementNames>

/**
 * Names each statement once. Past the bound a text stays unnamed, which bounds a connection's
 * plans.
 */
export function statementNames() {
  const names = new Map<string, string>()
  let last = 0
  return {
    nameOf: (text: string): string | undefined => {
      const known = names.get(text)
      if (known || names.size >= maxNamedStatements) return known
      const name = `s${last++}`
      names.set(text, name)
      return name
    },
    /** The text's next name is a new one, unless another connection has renamed it already. */
    retire: (text: string, name: string): void => {
      if (names.get(text) === name) names.delete(text)
    },
  }
}

/** Behind a pooler, the next transaction runs on another connection: nothing can be prepared. */
export const noNames: StatementNames = { nameOf: () => undefined, retire: () => {} }

/**
 * Whether a newer version's migration has added a column to the result of a prepared statement.
 * Postgres then refuses it for as long as its connection lives (plancache.c).
 */
const isChangedPlan = (error: unknown): boolean =>
  error instanceof Error && error.message === 'cached plan must not change result type'

/**
 * Whether a prepared statement is missing: another statement of the same text was sent right before
 * on this connection, and preparing that one failed (PostgreSQL, appendix A).
 */
const isMissingPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '26000'

/** Holds writes back until the end of the turn, so that statements of one turn share a packet. */
function corkUntilNextTick({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** A client of the pool while Kysely has it: the statements of one caller, one after the other. */
export class PostgresConnection implements DatabaseConnection {
  #held: pg.PoolClient | null
  readonly #options: ConnectionOptions
  #isInTransaction = false
  /** Unanswered: a transaction's first statement is sent right behind its `begin`. */
  #begin: Promise<unknown> | undefined
  /** What the next statement waits for, where nothing is pipelined. */
  #latest: Promise<unknown> = Promise.resolve()

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#held = client
    this.#options = options
  }

  /** Throws once the connection is released: another caller may have the client by then. */
  get client(): pg.PoolClient {
    if (!this.#held) throw new Error('The connection has been released.')
    return this.#held
  }

  /** Returns the client, for the pool. */
  release(): pg.PoolClient {
    const { client } = this
    this.#held = null
    return client
  }

  readonly streamQuery = refuseStream

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#options.isFast) corkUntilNextTick(this.client)
    const [result] = await Promise.all([this.#runPrepared<R>(query), this.#begun()])
    return result
  }

  begin(isolationLevel: IsolationLevel | undefined): void {
    if (this.#options.isFast) corkUntilNextTick(this.client)
    this.#isInTransaction = true
    const begin = this.#control(
      this.#beginning(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin'),
    )
    // The first statement rejects with it, or the commit.
    begin.catch(() => {})
    this.#begin = begin
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false
    await Promise.all([this.#control('commit'), this.#begun()])
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    await this.#control('rollback')
  }

  #begun(): Promise<unknown> | undefined {
    const begin = this.#begin
    this.#begin = undefined
    return begin
  }

  #beginning(begin: string): string {
    return [begin, ...this.#options.lifts].join('; ')
  }

  #control(statement: string): Promise<unknown> {
    return this.#send(() => this.client.query(statement))
  }

  #send<T>(query: () => Promise<T>): Promise<T> {
    const { answered, isPipelined } = this.#options
    if (isPipelined) return answered(this.client, query())
    const sent = this.#latest.then(query)
    this.#latest = sent.catch(() => {})
    return answered(this.client, sent)
  }

  /**
   * A statement whose plan is missing or has changed columns gets a new name. Outside a
   * transaction, it runs again: without a name where the plan was missing, so that it prepares
   * itself.
   */
  async #runPrepared<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { names } = this.#options
    const name = names.nameOf(query.sql)
    try {
      return await this.#run<R>(query, name)
    } catch (error) {
      if (!name || (!isChangedPlan(error) && !isMissingPlan(error))) throw error
      names.retire(query.sql, name)
      if (this.#isInTransaction) throw error
      return this.#run<R>(query, isMissingPlan(error) ? undefined : names.nameOf(query.sql))
    }
  }

  async #run<R>({ sql, parameters }: CompiledQuery, name: string | undefined): Promise<QueryResult<R>> {
    const { isFast, lifts, preparedOn } = this.#options
    const { client } = this
    if (isFast && name) {
      const statement = { name, text: sql, values: parameters }
      return this.#send(() => runNamed<R>(client, preparedOn(client), statement))
    }
    const query = () =>
      client.query<unknown[]>({
        ...(name !== undefined && { name }),
        text: sql,
        values: parameters as unknown[],
        rowMode: 'array',
        types,
      })
    const isLifted = lifts.length > 0 && !this.#isInTransaction
    const result = await this.#send(isLifted ? () => this.#runLifted(query) : query)
    return {
      rows: result.rows.map(rowReader(result.fields)) as R[],
      ...(result.command !== 'SELECT' && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    }
  }

  /** A statement alone becomes a transaction: only that can lift a limit behind a pooler. */
  async #runLifted<T>(query: () => Promise<T>): Promise<T> {
    const { client } = this
    await client.query(this.#beginning('begin'))
    try {
      const result = await query()
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that broke has no transaction any more.
      await client.query('rollback').catch(() => {})
      throw error
    }
  }
}
