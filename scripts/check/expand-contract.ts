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
/**
 * The newest migration of an earlier release: update it with each release. A contract of what is
 * newer is refused, because the release before still uses it. There is no release yet.
 */
const lastReleased = '0000'
/** Faults that a review accepted, by migration. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  // It runs the function of the catalog's versions, which refuses nothing.
  '0052-need-review-versions': ['lets a trigger refuse rows of need_reviews'],
  // The release before reads it only to decide whether to import the list again.
  '0059-reimport-care-lists': ['changes sha256 of care_lists'],
}
const contractPattern = /^(\d{4})-.*-contracts-(\d{4})$/

const name = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`
const alters = new RegExp(String.raw`^alter table (?:if exists |only )*${name} (.*)$`, 's')
const creates = new RegExp(
  String.raw`^create (?:temp |temporary |unlogged )?table (?:if not exists )?${name}`,
)
const createsIndex = /^create (?:unique )?index (?:concurrently )?(?:if not exists )?"?(\w+)"?/
const createsOther = new RegExp(
  String.raw`^create (?:or replace )?(?:temp |temporary )?(?:materialized )?(?:view|function|type|sequence) (?:if not exists )?${name}`,
)
const uniqueIndex = new RegExp(
  String.raw`^create unique index (?:concurrently )?(?:if not exists )?(?:"?\w+"? )?on (?:only )?${name}`,
)
const addsColumn =
  /\badd (?:column )?(?!constraint|unique|check|primary|foreign)(?:if not exists )?"?(\w+)"? /

const dropsObject = new RegExp(
  String.raw`^drop (table|index|(?:materialized )?view|trigger|function|type|sequence|schema) (?:concurrently )?(?:if exists )?(.*)$`,
)
const firstName = new RegExp(`^${name}`)
const createsTrigger = new RegExp(
  String.raw`^create (?:or replace )?(?:constraint |temp |temporary )?trigger (?:if not exists )?"?(\w+)"? .*? on ${name} (.*)$`,
)
const runsFunction = new RegExp(String.raw`execute (?:function|procedure) ${name}`)
const functionBodies = /\bcreate (?:or replace )?function\s+"?(\w+)"?.*?\$(\w*)\$(.*?)\$\2\$/gis
/** In the bodies of SQLite's triggers and of PL/pgSQL. */
const raises = /\braise\b(?! (?:notice|warning|info|log|debug)\b)/i

const cannotJudge =
  /^(?:create rule|alter (?:view|type|function|procedure|default privileges)|drop procedure|(?:create|alter|drop) policy)\b/

/** Until the clause after an UPDATE's assignments. */
const assignments = String.raw`set (.*?)(?: from | where | returning |$)`
const updates = new RegExp(
  String.raw`(?:^|\s)update (?:or \w+ )?(?:only )?${name}(?: (?:as )?"?(?!set\b)\w+"?)? ${assignments}`,
)
const upserts = new RegExp(String.raw`(?:^|\s)insert (?:or \w+ )?into ${name} .*?\bdo update ${assignments}`)
const deletes = new RegExp(String.raw`(?:^|\s)delete from (?:only )?${name}`)
const replaces = new RegExp(String.raw`(?:^|\s)(?:replace|insert or replace|merge) into (?:only )?${name}`)
const truncates = /(?:^|\s)truncate (?:table )?(?:only )?([^;]*)/

/** What an ALTER TABLE must not do to a table that the release before uses. */
const refusedChanges: readonly (readonly [RegExp, string])[] = [
  [/\brename\b|\bset schema\b|\bdetach partition\b/, 'renames'],
  [/\bdrop (?:column|constraint)\b|\bdrop (?!not null|default|expression|identity)"?\w+"?/, 'drops'],
  [/\balter (?:column )?"?\w+"? (?:set data )?type\b/, 'changes the type of'],
  [/\bset not null\b/, 'requires a value in'],
  [/\bdrop default\b/, 'removes a default from'],
  [/\badd (?:constraint "?\w+"? )?(?:unique|primary key|check|foreign key|exclude)\b/, 'constrains'],
  [/\b(?:enable|force) row level security\b/, 'hides rows of'],
]

/** A foreign key, and what follows it up to the next column or constraint. */
const references = new RegExp(String.raw`\breferences ${name}(?: ?\([^()]*\))?([^,]*)`, 'g')
/** The condition of a CHECK, with up to two levels of parentheses in it. */
const checks = /\bcheck ?\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g
/** A word of a condition that names a column. A function has a parenthesis after it. */
const conditionWord = /(?<!::)"?\b([a-z_]\w*)\b"?(?! ?\()/g
const keywords = new Set(
  'and or not is null in between like true false case when then else end any'.split(' '),
)

/**
 * Migrations that break the release before, which runs beside them during a rolling deploy: what
 * removes, renames, constrains or hides something of a table that the migration has not created
 * itself, lets a trigger or a foreign key refuse its rows or their deletion, revokes a right, or
 * changes values of columns that it has not added.
 * A contract is named `0060-what-it-removes-contracts-0055` and is allowed when 0055 is a migration
 * of an earlier release, which no longer uses what is removed.
 */
export async function expandContractFaults(
  migrations: Readonly<Record<string, Migration>>,
  { after = lastBefore, released = lastReleased }: { after?: string; released?: string } = {},
): Promise<string[]> {
  const faults: string[] = []
  for (const [migration, steps] of Object.entries(migrations)) {
    if (migration.slice(0, 4) <= after) continue
    const contract = contractPattern.exec(migration)
    if (contract) {
      const [, own = '', removed = ''] = contract
      if (!(removed < own && Object.keys(migrations).some((other) => other.startsWith(`${removed}-`))))
        faults.push(`migrations/${migration} contracts ${removed}, which is not an earlier migration.`)
      else if (removed > released)
        faults.push(
          `migrations/${migration} contracts ${removed}, and the newest released one is ${released} (lastReleased).`,
        )
      continue
    }
    const found = new Set<string>()
    for (const engine of ['sqlite', 'postgres'] as const) {
      for (const fault of judgeStatements(await recordStatements(steps, engine))) found.add(fault)
    }
    const reviewed = accepted[migration] ?? []
    for (const fault of reviewed.filter((one) => !found.has(one)))
      faults.push(`migrations/${migration} no longer ${fault}: remove it from the map accepted.`)
    for (const fault of found)
      if (!reviewed.includes(fault))
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
  /** Whether each function of this migration raises an error. */
  const functions = new Map<string, boolean>()
  for (const text of statements)
    for (const [, made = '', , body = ''] of text.matchAll(functionBodies))
      functions.set(made.toLowerCase(), raises.test(body))
  const faults: string[] = []
  for (const statement of statements.flatMap(splitStatements)) {
    const made = (creates.exec(statement) ??
      createsIndex.exec(statement) ??
      createsOther.exec(statement))?.[1]
    if (made) created.add(made)
    const [, altered = '', change = ''] = alters.exec(statement) ?? []
    if (altered && !created.has(altered)) {
      for (const [pattern, verb] of refusedChanges)
        if (pattern.test(change)) faults.push(`${verb} ${altered}`)
      faults.push(...judgeAddedColumns(change).map((fault) => `${fault} ${altered}`))
    }
    if (creates.test(statement) || altered)
      for (const [, table = '', action = ''] of statement.matchAll(references))
        if (!created.has(table) && !/\bon delete (?:cascade|set null)\b/.test(action))
          faults.push(`refuses to delete rows of ${table}`)
    for (const [, column] of change.matchAll(new RegExp(addsColumn, 'g'))) added.add(`${altered}.${column}`)
    const indexed = uniqueIndex.exec(statement)?.[1]
    if (indexed && !created.has(indexed)) faults.push(`makes ${indexed} unique`)
    const [, kind, dropped = ''] = dropsObject.exec(statement.replaceAll(/\([^()]*\)/g, '')) ?? []
    for (const each of dropped.split(',').map((part) => firstName.exec(part.trim())?.[1] ?? ''))
      if (each && !created.has(each)) faults.push(`drops the ${kind} ${each}`)
    const replaced =
      /^create or replace (?:function|procedure|trigger|(?:temp |temporary )?(?:recursive )?view) "?(\w+)/.exec(
        statement,
      )?.[1]
    if (replaced) faults.push(`may replace ${replaced}`)
    const [, trigger = '', watched = '', body = ''] = createsTrigger.exec(statement) ?? []
    if (trigger) created.add(trigger)
    if (watched && !created.has(watched)) {
      const run = runsFunction.exec(body)?.[1]
      if (raises.test(body) || (run && functions.get(run) !== false))
        faults.push(`lets a trigger refuse rows of ${watched}`)
    }
    if (/^do\b/.test(statement)) faults.push('runs a DO block, which this check cannot read')
    if (/^revoke\b/.test(statement)) faults.push('revokes a right')
    if (cannotJudge.test(statement)) faults.push('has a statement that this check cannot judge')
    if (!watched)
      faults.push(
        ...judgeRows(statement, (table, column) => created.has(table) || added.has(`${table}.${column}`)),
      )
  }
  return faults
}

/** Rows of an existing table that a statement deletes, or whose older columns it changes. */
function judgeRows(statement: string, isOwn: (table: string, column: string) => boolean): string[] {
  return splitParentheses(statement).flatMap((text) => {
    const truncated = truncates.exec(text)?.[1]?.split(',') ?? []
    const emptied = [deletes.exec(text)?.[1], ...truncated.map((each) => /\w+/.exec(each)?.[0])]
    const replaced = replaces.exec(text)?.[1]
    const [, table = '', set = ''] = updates.exec(text) ?? upserts.exec(text) ?? []
    const columns = table === '' ? [] : set.split(',').map((each) => /^ ?"?(\w+)"? ?=/.exec(each)?.[1])
    return [
      ...emptied.flatMap((each) => (each && !isOwn(each, '') ? [`deletes rows of ${each}`] : [])),
      ...(replaced && !isOwn(replaced, '') ? [`replaces rows of ${replaced}`] : []),
      ...columns.flatMap((column = 'columns') =>
        isOwn(table, column) ? [] : [`changes ${column} of ${table}`],
      ),
    ]
  })
}

/** A statement without what is in parentheses, then the content of each pair. */
function splitParentheses(statement: string): string[] {
  const inner = [...statement.matchAll(/\(([^()]*)\)/g)].map(([, content = '']) => content)
  return inner.length === 0
    ? [statement]
    : [...splitParentheses(statement.replaceAll(/\([^()]*\)/g, '')), ...inner]
}

/** Each added column is judged by itself: one with a default must not excuse its neighbor. */
function judgeAddedColumns(change: string): string[] {
  return change.split(/,\s*(?=add\b)/).flatMap((part) => {
    const [, column] = addsColumn.exec(part) ?? []
    if (column === undefined) return []
    const hasDefault = /\bdefault\b|\bgenerated\b/.test(part)
    return [
      ...(/\bnot null\b/.test(part) && !hasDefault ? ['adds a column without default to'] : []),
      // Its second row would have the same value.
      ...(/\bunique\b|\bprimary key\b/.test(part) && hasDefault
        ? ['adds a unique column with a default to']
        : []),
      ...(isCheckOfAnother(part, column) ? ['checks older columns of'] : []),
    ]
  })
}

/** Whether a CHECK names a column other than the added one. */
const isCheckOfAnother = (part: string, column: string): boolean =>
  [...part.matchAll(checks)].some(([, condition = '']) =>
    [...condition.matchAll(conditionWord)].some(([, word = '']) => word !== column && !keywords.has(word)),
  )

function splitStatements(text: string): string[] {
  const plain = plainText(text)
  // The body of a trigger has statements of its own, which run on later changes.
  if (/^create (?:or replace )?(?:constraint |temp |temporary )?trigger\b/.test(plain)) return [plain]
  return plain.split(';').map((statement) => statement.trim())
}

/** Without comments and literals, in lower case and with single spaces. */
const plainText = (text: string): string =>
  text
    .replaceAll(/\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs, (part) =>
      part.startsWith('-') || part.startsWith('/') ? ' ' : "''",
    )
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
