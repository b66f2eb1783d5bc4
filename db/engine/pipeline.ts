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
 * Kysely sends a statement of a transaction only when the one before it was answered. Here they are sent as they come, for drivers that
 * answer them in that order: those that do not wait for each other (`together`) share a round trip.
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

  /** Kysely asks for this with the one connection of a transaction. */
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
