import { sql, type Insertable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import type { JsonColumn } from '../engine/json-rows.ts'
import type { Schema } from '../schema/schema.ts'

/** The columns of the tables that lists fill, with their types in JSON. */
const tables = {
  careIngredientNames: {
    country: 'text',
    name: 'text',
    ingredient: 'text',
    moiety: 'text',
    products: 'integer',
  },
  careIngredients: { ingredient: 'text', unii: 'text', rxcui: 'text', atcCodes: 'text' },
  careClasses: { ingredient: 'text', system: 'text', code: 'text', name: 'text', source: 'text' },
  careBrands: { brandKey: 'text', brand: 'text', ingredient: 'text' },
  careInteractions: {
    id: 'text',
    list: 'text',
    subject: 'text',
    object: 'text',
    objectKind: 'text',
    level: 'text',
    sentence: 'text',
    splSetId: 'text',
    effective: 'text',
  },
  careClassMembers: { class: 'text', ingredient: 'text', source: 'text' },
  careAllergyGroups: { allergyGroup: 'text', ingredient: 'text', source: 'text' },
  careAllergyLabels: {
    ingredients: 'text',
    allergenGroup: 'text',
    sentence: 'text',
    splSetId: 'text',
    effective: 'text',
  },
  careLabelSafety: {
    ingredients: 'text',
    productType: 'text',
    brand: 'text',
    applicationNumber: 'text',
    splSetId: 'text',
    effective: 'text',
    snapshot: 'text',
    boxedWarning: 'text',
    contraindications: 'text',
    pregnancyCategory: 'text',
    pregnancyContraindicated: 'text',
    pregnancyBoxed: 'text',
    ageWarning: 'text',
    elderlyWarning: 'text',
    remsMentioned: 'boolean',
    medicationGuide: 'boolean',
    pediatricUse: 'text',
    geriatricUse: 'text',
  },
  careBoxedWarnings: {
    applicationNumber: 'text',
    ingredients: 'text',
    hasBoxedWarning: 'boolean',
    warning: 'text',
  },
  careEquivalents: {
    line: 'integer',
    applicationNumber: 'text',
    tradeName: 'text',
    activeIngredient: 'text',
    ingredients: 'text',
    formRoute: 'text',
    strength: 'text',
    sponsor: 'text',
    approvalDate: 'text',
    marketingStatus: 'text',
    teCode: 'text',
    listIsComplete: 'boolean',
  },
  careRecalls: {
    id: 'text',
    list: 'text',
    eventId: 'text',
    recallClass: 'text',
    status: 'text',
    initiated: 'text',
    reported: 'text',
    terminated: 'text',
    firm: 'text',
    reason: 'text',
    product: 'text',
    allLots: 'boolean',
    lotNote: 'text',
    distribution: 'text',
    ingredients: 'text',
  },
  careRecallPackages: { recallId: 'text', ndc: 'text' },
  careRecallLots: { recallId: 'text', lot: 'text', lotKey: 'text' },
  careShortages: {
    line: 'integer',
    packageNdc: 'text',
    genericName: 'text',
    ingredients: 'text',
    status: 'text',
    availability: 'text',
    reason: 'text',
    dosageForm: 'text',
    presentation: 'text',
    company: 'text',
    firstPosted: 'text',
    updated: 'text',
    discontinued: 'text',
    note: 'text',
    therapeuticCategory: 'text',
  },
  careControlledSubstances: {
    ingredients: 'text',
    schedule: 'text',
    authority: 'text',
    labelEvidence: 'text',
    note: 'text',
  },
  careImportRules: {
    id: 'text',
    country: 'text',
    direction: 'text',
    appliesTo: 'text',
    situation: 'text',
    rule: 'text',
    limitValue: 'integer',
    limitUnit: 'text',
    authority: 'text',
    sourceTitle: 'text',
    sourceDate: 'text',
    howRead: 'text',
  },
  carePostalRegions: { country: 'text', prefixFrom: 'text', prefixTo: 'text', region: 'text' },
} as const satisfies {
  // No list has a recall whose class is not known.
  [Table in keyof Schema]?: { [Column in Exclude<keyof Schema[Table], 'classKnown'>]: JsonColumn }
}

export type CareTable = keyof typeof tables
/** Rows of several tables. */
export type CareRows = { [Table in CareTable]?: Insertable<Schema[Table]>[] }

/** Rows of a table as JSON, ready to insert. Far smaller in memory than the rows. */
export type PreparedRows = { table: CareTable; json: string }

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const columnsOf = (table: CareTable): { name: string; type: JsonColumn }[] =>
  Object.entries(tables[table]).map(([name, type]) => ({ name, type }))

/** A row becomes an array, which both engines read in half the time of an object. */
export const prepareRows = (rows: CareRows): PreparedRows[] =>
  (Object.keys(tables) as CareTable[]).flatMap((table) => {
    const columns = columnsOf(table)
    const arrays = rows[table]?.map((row) => {
      const given = row as Record<string, unknown>
      return columns.map(({ name }) => given[name] ?? null)
    })
    return arrays && arrays.length > 0 ? [{ table, json: JSON.stringify(arrays) }] : []
  })

/** Inserts rows of a list. The caller has removed those of an older one. */
export async function insertPreparedRows(db: Db, { table, json }: PreparedRows): Promise<void> {
  const columns = columnsOf(table)
  const isPostgres = getEngine(db) === 'postgres'
  const names = sql.join(columns.map(({ name }) => sql.ref(snakeCase(name))))
  const values = sql.join(
    columns.map(({ type }, i) => {
      const value = sql`value ->> ${sql.lit(i)}`
      return isPostgres && type !== 'text' ? sql`(${value})::${sql.raw(type)}` : value
    }),
  )
  const source = isPostgres
    ? sql`jsonb_array_elements(${json}::jsonb) as row (value)`
    : sql`json_each(${json})`
  await sql`insert into ${sql.table(snakeCase(table))} (${names}) select ${values} from ${source}`.execute(db)
}

/** Removes all rows of a table; of a table that two lists fill, those of one. */
export async function deleteCareRows(
  db: Db,
  table: CareTable,
  list: { column: 'list'; value: string } | null = null,
): Promise<void> {
  const only = list ? sql`where ${sql.ref(list.column)} = ${list.value}` : sql``
  await sql`delete from ${sql.table(snakeCase(table))} ${only}`.execute(db)
}
