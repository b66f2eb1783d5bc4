import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  PostgresIntrospector,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Migration,
} from 'kysely'

/** The newest migration before the rule. A vocabulary rename among them needed a stop. */
const lastBefore = '0049'
const contractPattern = /^(\d{4})-.*-contracts-(\d{4})$/

const name = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`
const alters = new RegExp(String.raw`^alter table (?:if exists |only )*${name} (.*)$`, 's')
const creates = new RegExp(String.raw`^create (?:unlogged )?table (?:if not exists )?${name}`)
const createsIndex = /^create (?:unique )?index (?:concurrently )?(?:if not exists )?"?(\w+)"?/
const uniqueIndex = new RegExp(
  String.raw`^create unique index (?:concurrently )?(?:if not exists )?"?\w+"? on (?:only )?${name}`,
)
const addsColumn =
  /\badd (?:column )?(?!constraint|unique|check|primary|foreign)(?:if not exists )?"?(\w+)"? /

/** What an ALTER TABLE must not do to a table that the release before uses. */
const refusedChanges: readonly (readonly [RegExp, string])[] = [
  [/\brename\b/, 'renames'],
  [/\bdrop (?:column|constraint)\b|\bdrop (?!not null|default|expression|identity)"?\w+"?/, 'drops'],
  [/\balter (?:column )?"?\w+"? (?:set data )?type\b/, 'changes the type of'],
  [/\bset not null\b/, 'requires a value in'],
  [/\bdrop default\b/, 'removes a default from'],
  [/\badd (?:constraint "?\w+"? )?(?:unique|primary key|check|foreign key|exclude)\b/, 'constrains'],
]

/**
 * Migrations that break the release before, which runs beside them during a rolling deploy: what
 * removes, renames or constrains something of a table that the migration has not created itself.
 * A contract is named `0060-what-it-removes-contracts-0055` and is allowed when 0055 was the first
 * migration of an earlier release, which no longer uses what is removed.
 */
export async function expandContractFaults(
  migrations: Readonly<Record<string, Migration>>,
  after = lastBefore,
): Promise<string[]> {
  const faults: string[] = []
  for (const [migration, steps] of Object.entries(migrations)) {
    if (migration.slice(0, 4) <= after) continue
    const contract = contractPattern.exec(migration)
    if (contract) {
      const [, own = '', released = ''] = contract
      if (!(released < own && Object.keys(migrations).some((other) => other.startsWith(`${released}-`))))
        faults.push(`migrations/${migration} contracts ${released}, which is not an earlier migration.`)
      continue
    }
    const found = new Set<string>()
    for (const engine of ['sqlite', 'postgres'] as const) {
      for (const fault of judgeStatements(await recordStatements(steps, engine))) found.add(fault)
    }
    for (const fault of found)
      faults.push(
        `migrations/${migration} ${fault}; the release before still uses it (migrations/README.md).`,
      )
  }
  return faults
}

/** What the statements of one migration break, in words. */
export function judgeStatements(statements: readonly string[]): string[] {
  const created = new Set<string>()
  const faults: string[] = []
  for (const statement of statements.flatMap(splitStatements)) {
    const made = (creates.exec(statement) ?? createsIndex.exec(statement))?.[1]
    if (made) created.add(made)
    const [, altered = '', change = ''] = alters.exec(statement) ?? []
    if (altered && !created.has(altered)) {
      for (const [pattern, verb] of refusedChanges)
        if (pattern.test(change)) faults.push(`${verb} ${altered}`)
      if (addsRequiredColumn(change)) faults.push(`adds a column without default to ${altered}`)
    }
    const indexed = uniqueIndex.exec(statement)?.[1]
    if (indexed && !created.has(indexed)) faults.push(`makes ${indexed} unique`)
    const dropped = new RegExp(
      String.raw`^drop (table|index|(?:materialized )?view|trigger|function|type|sequence) (?:concurrently )?(?:if exists )?${name}`,
    ).exec(statement)
    if (dropped?.[2] && !created.has(dropped[2])) faults.push(`drops the ${dropped[1]} ${dropped[2]}`)
  }
  return faults
}

/** Each added column is judged by itself: one with a default must not excuse its neighbor. */
const addsRequiredColumn = (change: string): boolean =>
  change
    .split(/,\s*(?=add\b)/)
    .some(
      (part) => addsColumn.test(part) && /\bnot null\b/.test(part) && !/\bdefault\b|\bgenerated\b/.test(part),
    )

/** Without comments and literals, in lower case and with single spaces. */
function splitStatements(text: string): string[] {
  const bodies = text.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
  const plain = bodies
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
  // The body of a trigger has statements of its own, which run on later changes.
  if (/^create (?:temp |temporary )?trigger\b/.test(plain)) return [plain]
  return plain.split(';').map((statement) => statement.trim())
}

/** What a migration would execute. Its own queries get no rows. */
async function recordStatements(migration: Migration, engine: 'sqlite' | 'postgres'): Promise<string[]> {
  const statements: string[] = []
  const isPostgres = engine === 'postgres'
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => (isPostgres ? new PostgresAdapter() : new SqliteAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (inner) =>
        isPostgres ? new PostgresIntrospector(inner) : new SqliteIntrospector(inner),
      createQueryCompiler: () => (isPostgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler()),
    },
    log: ({ query }) => void statements.push(query.sql),
  })
  await migration.up(db)
  return statements
}
