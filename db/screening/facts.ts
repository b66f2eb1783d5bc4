import type {
  AllergyGroupFact,
  AllergyLabelFact,
  BoxedWarningFact,
  ClassFact,
  ClassMemberFact,
  InteractionFact,
  LabelSafetyFact,
  ShortageFact,
} from '#domain/screening/facts.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { shownClass } from './recalls.ts'

/**
 * The rows of the lists that concern a case. Each function is one statement, whatever the case;
 * lists of keys arrive as JSON.
 */

const json = (values: readonly string[]): string => JSON.stringify(values)

const interactions = prepareQuery((db, p: Params<{ subjects: string; ingredients: string }>) =>
  db
    .selectFrom('careInteractions')
    .select([
      'id',
      'list',
      'subject',
      'object',
      'objectKind',
      'level',
      'sentence',
      'splSetId as setId',
      'effective as labelDate',
    ])
    .where(isOneOf(db, 'subject', p.subjects))
    .where((row) =>
      row.or([
        isOneOf(db, 'object', p.ingredients),
        row.and([
          row('objectKind', '=', 'class'),
          row('object', 'in', (members) =>
            members
              .selectFrom('careClassMembers')
              .select('class')
              .where(isOneOf(db, 'care_class_members.ingredient', p.ingredients)),
          ),
        ]),
      ]),
    )
    // A row that an admin found wrong no longer counts, until a later edition says something else.
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('screeningRowReports')
            .select('screeningRowReports.id')
            .whereRef('screeningRowReports.rowId', '=', 'careInteractions.id')
            .where('screeningRowReports.status', '=', 'confirmed')
            .whereRef('screeningRowReports.level', '=', 'careInteractions.level')
            .where(
              sql<boolean>`coalesce(screening_row_reports.sentence, '') = coalesce(care_interactions.sentence, '')`,
            ),
        ),
      ),
    ),
)

/** The pairs whose subject is one of these, and whose object is an ingredient or its class. */
export async function listInteractions(
  db: Db,
  keys: { subjects: readonly string[]; ingredients: readonly string[] },
): Promise<InteractionFact[]> {
  const rows = await interactions(db, { subjects: json(keys.subjects), ingredients: json(keys.ingredients) })
  return rows.map((row) => ({
    ...row,
    list: row.list === 'ndfrt' ? 'interactions-ndfrt' : 'interactions-label',
  }))
}

const classes = prepareQuery((db, p: Params<{ ingredients: string }>) =>
  db
    .selectFrom('careClasses')
    .select(['ingredient', 'system', 'code', 'name'])
    .where(isOneOf(db, 'ingredient', p.ingredients))
    .where('system', 'in', ['EPC', 'ATC']),
)

/** The pharmacologic classes and ATC codes of ingredients. */
export const listClasses = async (db: Db, ingredients: readonly string[]): Promise<ClassFact[]> =>
  (await classes(db, { ingredients: json(ingredients) })).flatMap((row) =>
    row.system === 'EPC' || row.system === 'ATC' ? [{ ...row, system: row.system }] : [],
  )

const classMembers = prepareQuery((db, p: Params<{ ingredients: string }>) =>
  db
    .selectFrom('careClassMembers')
    .select(['class as className', 'ingredient'])
    .where(isOneOf(db, 'ingredient', p.ingredients)),
)

/** The classes that labels name, of these ingredients. */
export const listClassMembers = (db: Db, ingredients: readonly string[]): Promise<ClassMemberFact[]> =>
  classMembers(db, { ingredients: json(ingredients) })

const allergyGroups = prepareQuery((db, p: Params<{ ingredients: string }>) =>
  db
    .selectFrom('careAllergyGroups')
    .select(['allergyGroup as group', 'ingredient'])
    .where(isOneOf(db, 'ingredient', p.ingredients)),
)

export const listAllergyGroups = (db: Db, ingredients: readonly string[]): Promise<AllergyGroupFact[]> =>
  allergyGroups(db, { ingredients: json(ingredients) })

const allergyLabels = prepareQuery((db, p: Params<{ sets: string }>) =>
  db
    .selectFrom('careAllergyLabels')
    .select([
      'ingredients',
      'allergenGroup as group',
      'sentence',
      'splSetId as setId',
      'effective as labelDate',
    ])
    .where(isOneOf(db, 'ingredients', p.sets)),
)

/** What the labels of these ingredient sets say about other allergies. */
export const listAllergyLabels = (db: Db, sets: readonly string[]): Promise<AllergyLabelFact[]> =>
  allergyLabels(db, { sets: json(sets) })

const labelSafety = prepareQuery((db, p: Params<{ sets: string }>) =>
  db
    .selectFrom('careLabelSafety')
    .select([
      'ingredients',
      'boxedWarning',
      'pregnancyContraindicated',
      'pregnancyBoxed',
      'ageWarning',
      'elderlyWarning',
      'remsMentioned as hasRems',
      'medicationGuide as hasMedicationGuide',
      'splSetId as setId',
      'effective as labelDate',
    ])
    .where(isOneOf(db, 'ingredients', p.sets)),
)

/** What the labels of these ingredient sets warn of. */
export const listLabelSafety = (db: Db, sets: readonly string[]): Promise<LabelSafetyFact[]> =>
  labelSafety(db, { sets: json(sets) })

const boxedByApplication = prepareQuery((db, p: Params<{ numbers: string }>) =>
  db
    .selectFrom('careBoxedWarnings')
    .select(['applicationNumber as key', 'warning'])
    .where(isOneOf(db, 'applicationNumber', p.numbers)),
)

/** The boxed warnings of applications; null where the labels were read and have none. */
export const listBoxedByApplication = (db: Db, numbers: readonly string[]): Promise<BoxedWarningFact[]> =>
  boxedByApplication(db, { numbers: json(numbers) })

const boxedBySet = prepareQuery((db, p: Params<{ sets: string }>) =>
  db
    .selectFrom('careBoxedWarnings')
    .select(({ fn }) => ['ingredients', fn.max('warning').as('warning')])
    .where(isOneOf(db, 'ingredients', p.sets))
    .groupBy('ingredients')
    .having(sql<boolean>`sum(case when has_boxed_warning then 1 else 0 end) in (0, count(*))`),
)

/** The same for ingredient sets, of all whose applications agree. */
export const listBoxedBySet = async (db: Db, sets: readonly string[]): Promise<BoxedWarningFact[]> =>
  (await boxedBySet(db, { sets: json(sets) })).flatMap(({ ingredients, warning }) =>
    ingredients === null ? [] : [{ key: ingredients, warning }],
  )

const recalls = prepareQuery((db, p: Params<{ codes: string }>) =>
  db
    .selectFrom('careRecallPackages')
    .innerJoin('careRecalls', 'careRecalls.id', 'careRecallPackages.recallId')
    .select((row) => [
      'careRecallPackages.ndc as code',
      'careRecalls.id',
      'list',
      shownClass.as('recallClass'),
      'status',
      'reason',
      'reported',
      'allLots',
      'lotNote',
      row
        .selectFrom('careRecallLots')
        .select('lotKey')
        .whereRef('careRecallLots.recallId', '=', 'careRecalls.id')
        .limit(1)
        .as('anyLot'),
    ])
    .where(isOneOf(db, 'care_recall_packages.ndc', p.codes)),
)

/** A recall of a package or product code. */
export type RecallOfCode = {
  /** Eleven digits of a package, or the nine of a product. */
  code: string
  id: string
  list: string
  recallClass: string
  status: string
  reason: string
  reported: string
  allLots: boolean
  /** Not null when none of the report's lots, or not all of them, could be read. */
  lotNote: string | null
  /** Null when the report prints no lot that could be read. */
  anyLot: string | null
}

export const listRecallsOf = (db: Db, codes: readonly string[]): Promise<RecallOfCode[]> =>
  recalls(db, { codes: json(codes) })

const recalledLots = prepareQuery((db, p: Params<{ recalls: string; lots: string }>) =>
  db
    .selectFrom('careRecallLots')
    .select(['recallId', 'lotKey'])
    .where(isOneOf(db, 'recallId', p.recalls))
    .where(isOneOf(db, 'lotKey', p.lots)),
)

/** Those of these lots that the recalls list. */
export const listRecalledLots = (
  db: Db,
  keys: { recallIds: readonly string[]; lotKeys: readonly string[] },
): Promise<{ recallId: string; lotKey: string }[]> =>
  recalledLots(db, { recalls: json(keys.recallIds), lots: json(keys.lotKeys) })

const shortages = prepareQuery((db, p: Params<{ codes: string; sets: string }>) =>
  db
    .selectFrom('careShortages')
    .select(['packageNdc as ndc', 'ingredients', 'status', 'reason', 'updated as date'])
    .where('status', '<>', 'Resolved')
    .where((row) => row.or([isOneOf(db, 'package_ndc', p.codes), isOneOf(db, 'ingredients', p.sets)])),
)

/** Shortages of packages, by their eleven digits, or of ingredient sets. */
export const listShortagesOf = (
  db: Db,
  keys: { codes: readonly string[]; sets: readonly string[] },
): Promise<(ShortageFact & { ndc: string })[]> =>
  shortages(db, { codes: json(keys.codes), sets: json(keys.sets) })

const listDates = prepareQuery((db) => db.selectFrom('careLists').select(['name', 'listDate']))

/** The current lists with their dates. */
export const readListDates = (db: Db): Promise<{ name: string; listDate: string | null }[]> =>
  listDates(db, {})

const screenedVariants = prepareQuery((db, p: Params<{ variants: string }>) =>
  db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .leftJoin('productIngredients', 'productIngredients.productId', 'products.id')
    .select((row) => [
      'productVariants.id',
      'productIngredients.ingredient',
      'products.route',
      'productVariants.strength',
      'productVariants.strengthUnit',
      'productVariants.labelStrength',
      'productVariants.ndc',
      'productVariants.din',
      'productVariants.upc',
      'productVariants.applicationNumber',
      row
        .selectFrom('unknownIngredientNames')
        .select('name')
        .whereRef('unknownIngredientNames.productId', '=', 'products.id')
        .limit(1)
        .as('unknownName'),
    ])
    .where(isOneOf(db, 'product_variants.id', p.variants)),
)

/** What the screening needs to know of a variant, once for each of its ingredients. */
export type ScreenedVariantRow = {
  id: string
  ingredient: string | null
  route: string | null
  strength: string
  strengthUnit: string
  labelStrength: string | null
  ndc: string | null
  din: string | null
  upc: string | null
  applicationNumber: string | null
  /** A substance that has no ingredient key. */
  unknownName: string | null
}

/** The rows of these variants, deleted ones too: orders still name them. */
export const listScreenedVariants = (db: Db, variantIds: readonly string[]): Promise<ScreenedVariantRow[]> =>
  screenedVariants(db, { variants: json(variantIds) })
