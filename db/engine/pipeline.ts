import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type ConnectionProvider,
  type DialectAdapter,
  type KyselyConfig,
  type KyselyProps,
  type QueryCompiler,
} from 'kysely'

/**
 * Kysely sends a transaction's statement only after the previous one was answered. This sends
 * statements as they come, for drivers that answer in order, so that independent statements
 * (`pipeline` in sql.ts) share a round trip.
 */
export function pipelined({ dialect, plugins = [], ...config }: KyselyConfig): KyselyProps {
  const driver = dialect.createDriver()
  const executor = new PipeliningExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    new DefaultConnectionProvider(driver),
    plugins,
  )
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
