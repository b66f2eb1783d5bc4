import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type CompiledQuery,
  type ConnectionProvider,
  type DialectAdapter,
  type KyselyConfig,
  type KyselyProps,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'
import { connectReads, isPlainRead, type ReadConnections } from './share-reads.ts'

/**
 * Kysely sends a transaction's statement only after the previous one was answered. This sends
 * statements as they come, for drivers that answer in order, so that independent statements
 * (`pipeline` in sql.ts) share a round trip.
 * @param options.sharesReads whether reads of concurrent callers share round trips too
 */
export function pipelined(
  { dialect, plugins = [], ...config }: KyselyConfig,
  { sharesReads }: { sharesReads: boolean },
): KyselyProps {
  const driver = dialect.createDriver()
  const parts = [dialect.createQueryCompiler(), dialect.createAdapter()] as const
  const provider = new DefaultConnectionProvider(driver)
  const executor = sharesReads
    ? new SharingExecutor(connectReads(driver), ...parts, provider, plugins)
    : new PipeliningExecutor(...parts, provider, plugins)
  return { config: { dialect, plugins, ...config }, driver, executor, dialect }
}

class PipeliningExecutor extends DefaultQueryExecutor {
  readonly #compiler: QueryCompiler
  readonly #adapter: DialectAdapter

  constructor(...parts: ConstructorParameters<typeof DefaultQueryExecutor>) {
    super(...parts)
    ;[this.#compiler, this.#adapter] = parts
  }

  /** Kysely calls this with the single connection of a transaction. */
  override withConnectionProvider(provider: ConnectionProvider): DefaultQueryExecutor {
    const connection = provider.provideConnection((one) => Promise.resolve(one))
    return new DefaultQueryExecutor(
      this.#compiler,
      this.#adapter,
      { provideConnection: async (consumer) => consumer(await connection) },
      [...this.plugins],
    )
  }
}

/** Kysely runs statements outside of transactions here, and those of one on its connection. */
class SharingExecutor extends PipeliningExecutor {
  readonly #reads: ReadConnections
  readonly #shared: DefaultQueryExecutor
  readonly #own: DefaultQueryExecutor

  constructor(reads: ReadConnections, ...parts: ConstructorParameters<typeof DefaultQueryExecutor>) {
    super(...parts)
    const [compiler, adapter, , plugins] = parts
    this.#reads = reads
    this.#shared = new DefaultQueryExecutor(compiler, adapter, reads.shared, plugins)
    this.#own = new DefaultQueryExecutor(compiler, adapter, reads.own, plugins)
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!isPlainRead(query)) return super.executeQuery(query)
    return (this.#reads.mayShare(query) ? this.#shared : this.#own).executeQuery(query)
  }
}
