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
/** What was looked at and breaks nothing, by migration. */
const accepted: Readonly<Record<string, string>> = {
  // The release before reads it only to decide whether to import the list again.
  '0059-reimport-care-lists': 'changes sha256 of care_lists',
}
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

const dropsObject = new RegExp(
  String.raw`^drop (table|index|(?:materialized )?view|trigger|function|type|sequence) (?:concurrently )?(?:if exists )?${name}`,
)
const createsTrigger = new RegExp(String.raw`^create (?:or replace )?trigger .*? on ${name} (.*)$`, 's')
const createsFunction = new RegExp(String.raw`^create (?:or replace )?function ${name}`)
const runsFunction = new RegExp(String.raw`execute (?:function|procedure) ${name}`)
const updates = new RegExp(
  String.raw`(?:^|\s)update (?:only )?${name}(?: as \w+)? set (.*?)(?: from | where | returning |$)`,
)
const deletes = new RegExp(String.raw`(?:^|\s)(?:delete from|truncate(?: table)?) (?:only )?${name}`)

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
 * removes, renames or constrains something of a table that the migration has not created itself,
 * lets a trigger refuse its rows, or changes values of columns that it has not added.
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
      if (accepted[migration] !== fault)
        faults.push(
          `migrations/${migration} ${fault}; the release before still uses it (migrations/README.md).`,
        )
  }
  return faults
}

/** What the statements of one migration break, in words. */
export function judgeStatements(statements: readonly string[]): string[] {
  const created = new Set<string>()
  const added = new Set<string>()
  const refusing = new Set<string>()
  const faults: string[] = []
  for (const text of statements) {
    const refuses = createsFunction.exec(plainText(text))?.[1]
    if (refuses && /\braise exception\b/i.test(text)) refusing.add(refuses)
  }
  for (const statement of statements.flatMap(splitStatements)) {
    const made = (creates.exec(statement) ?? createsIndex.exec(statement))?.[1]
    if (made) created.add(made)
    const [, altered = '', change = ''] = alters.exec(statement) ?? []
    if (altered && !created.has(altered)) {
      for (const [pattern, verb] of refusedChanges)
        if (pattern.test(change)) faults.push(`${verb} ${altered}`)
      if (addsRequiredColumn(change)) faults.push(`adds a column without default to ${altered}`)
    }
    for (const [, column] of change.matchAll(new RegExp(addsColumn, 'g'))) added.add(`${altered}.${column}`)
    const indexed = uniqueIndex.exec(statement)?.[1]
    if (indexed && !created.has(indexed)) faults.push(`makes ${indexed} unique`)
    const dropped = dropsObject.exec(statement)
    if (dropped?.[2] && !created.has(dropped[2])) faults.push(`drops the ${dropped[1]} ${dropped[2]}`)
    const [, watched = '', body = ''] = createsTrigger.exec(statement) ?? []
    if (watched && !created.has(watched)) {
      const run = runsFunction.exec(body)?.[1]
      if (/\braise ?\(/.test(body) || (run && refusing.has(run)))
        faults.push(`lets a trigger refuse rows of ${watched}`)
    }
    if (/^do\b/.test(statement)) faults.push('runs a DO block, which this check cannot read')
    if (!watched)
      faults.push(
        ...judgeRows(statement, (table, column) => created.has(table) || added.has(`${table}.${column}`)),
      )
  }
  return faults
}

/** Rows of an existing table that a statement deletes, or whose older columns it changes. */
function judgeRows(statement: string, isOwn: (table: string, column: string) => boolean): string[] {
  const outer = withoutParentheses(statement)
  const faults: string[] = []
  const emptied = deletes.exec(outer)?.[1]
  if (emptied && !isOwn(emptied, '')) faults.push(`deletes rows of ${emptied}`)
  const [, table = '', assignments = ''] = updates.exec(outer) ?? []
  if (table) {
    for (const assignment of assignments.split(',')) {
      const column = /^ ?"?(\w+)"? ?=/.exec(assignment)?.[1] ?? 'columns'
      if (!isOwn(table, column)) faults.push(`changes ${column} of ${table}`)
    }
  }
  return faults
}

/** Subqueries and calls have columns of their own. */
function withoutParentheses(statement: string): string {
  const shorter = statement.replaceAll(/\([^()]*\)/g, '')
  return shorter === statement ? statement : withoutParentheses(shorter)
}

/** Each added column is judged by itself: one with a default must not excuse its neighbor. */
const addsRequiredColumn = (change: string): boolean =>
  change
    .split(/,\s*(?=add\b)/)
    .some(
      (part) => addsColumn.test(part) && /\bnot null\b/.test(part) && !/\bdefault\b|\bgenerated\b/.test(part),
    )

function splitStatements(text: string): string[] {
  const plain = plainText(text)
  // The body of a trigger has statements of its own, which run on later changes.
  if (/^create (?:temp |temporary )?trigger\b/.test(plain)) return [plain]
  return plain.split(';').map((statement) => statement.trim())
}

/** Without comments and literals, in lower case and with single spaces. */
const plainText = (text: string): string =>
  text
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

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
