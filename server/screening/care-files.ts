import { deleteCareRows, type CareRows, type CareTable } from '#db/screening/care-tables.ts'
import type { Db } from '#db/engine/client.ts'
import type { CareListName } from '#domain/screening/care-lists.ts'
import type { CareRow } from '#domain/screening/care-rows.ts'
import { toShownMoiety } from '#domain/screening/product-ingredients.ts'
import { listRecalledCodes, toLotKey, toPackageDigits } from '#domain/screening/recall-codes.ts'
import { createHash } from 'node:crypto'
import type { ParsedLine } from './parse-care-file.ts'

/** How a list's file becomes rows of tables. */
export type CareFile<Name extends CareListName> = {
  /** What must be unique in the file, of a row or its text; null where nothing is. */
  keyOf: (row: CareRow<Name>, text: string) => string | null
  /** @param from `openfda` when the lines are entries of openFDA's JSON, not lines of the file */
  toRows: (lines: readonly ParsedLine<CareRow<Name>>[], from?: 'openfda') => CareRows
  /** Removes what an earlier edition wrote. */
  clear: (db: Db) => Promise<void>
  /** The newest day in a row; left out where no column has one. */
  dayOf?: (row: CareRow<Name>) => string | null
  /** The class of interactions that a row uses or fills; left out where no column has one. */
  classOf?: (row: CareRow<Name>) => string | null
}

const clearAll = (table: CareTable) => (db: Db) => deleteCareRows(db, table)
const clearOne = (table: CareTable, value: string) => (db: Db) =>
  deleteCareRows(db, table, { column: 'list', value })

/** Rows of one table, one for each line. */
const each =
  <Row, Table extends CareTable>(
    table: Table,
    toRow: (row: Row, line: number) => NonNullable<CareRows[Table]>[number],
  ) =>
  (lines: readonly ParsedLine<Row>[]): CareRows => ({
    [table]: lines.map(({ row, line }) => toRow(row, line)),
  })

/** The same id for the same pair in every edition, for what the shop notes about it. */
const interactionId = (list: string, subject: string, object: string, kind: string): string =>
  createHash('sha256').update([list, subject, object, kind].join('\n')).digest('base64url').slice(0, 16)

const sortedPair = ({ ingredient_a: a, ingredient_b: b }: CareRow<'interactions-ndfrt'>): [string, string] =>
  a < b ? [a, b] : [b, a]

type Recall = CareRow<'recalls'> | CareRow<'recalls-2023-2025-no-lots'>

/** What both lists of recalls have. */
const toRecall = (id: string, list: CareListName, row: Recall) => ({
  id,
  list,
  eventId: row.event_id,
  recallClass: row.class,
  status: row.status,
  firm: row.firm,
  reason: row.reason,
  product: row.product,
  distribution: row.distribution,
})

const toRecallPackages = (recallId: string, row: Recall) =>
  listRecalledCodes({ packages: row.package_ndcs, products: row.product_ndcs, text: row.product }).map(
    (ndc) => ({
      recallId,
      ndc,
    }),
  )

/** The file of recalls has at most this many lots of a report (db/seed/care/README.md). */
const maxListedLots = 200
const moreLotsNote = `Only the first ${maxListedLots} lots are listed here. More lots may be recalled.`

/** Each lot once, as first printed. */
function toRecallLots(recallId: string, lots: readonly string[]) {
  const printed = new Map<string, string>()
  for (const lot of lots.toReversed()) printed.set(toLotKey(lot), lot)
  return [...printed].flatMap(([lotKey, lot]) => (lotKey ? [{ recallId, lot, lotKey }] : []))
}

export const careFiles: { [Name in CareListName]: CareFile<Name> } = {
  'ingredient-names': {
    keyOf: (row) => `${row.country} ${row.catalogue_name}`,
    clear: clearAll('careIngredientNames'),
    toRows: each('careIngredientNames', (row) => ({
      country: row.country,
      name: row.catalogue_name,
      ingredient: row.ingredient,
      moiety: toShownMoiety(row.catalogue_name),
      products: row.products,
    })),
  },
  ingredients: {
    keyOf: (row) => row.ingredient,
    clear: clearAll('careIngredients'),
    toRows: each('careIngredients', (row) => ({
      ingredient: row.ingredient,
      unii: row.unii,
      rxcui: row.rxcui,
      atcCodes: row.atc_codes,
    })),
  },
  'ingredient-classes': {
    keyOf: (row) => [row.ingredient, row.system, row.class_code, row.class_name].join(', '),
    clear: clearAll('careClasses'),
    toRows: each('careClasses', (row) => ({
      ingredient: row.ingredient,
      system: row.system,
      code: row.class_code,
      name: row.class_name,
      source: row.source,
    })),
  },
  'rxnorm-brands': {
    keyOf: (row) => row.brand.toUpperCase(),
    clear: clearAll('careBrands'),
    toRows: each('careBrands', (row) => ({
      brandKey: row.brand.toUpperCase(),
      brand: row.brand,
      ingredient: row.ingredient,
    })),
  },
  'interaction-class-members': {
    keyOf: (row) => `${row.class}, ${row.ingredient}`,
    clear: clearAll('careClassMembers'),
    classOf: (row) => row.class,
    toRows: each('careClassMembers', (row) => ({
      class: row.class,
      ingredient: row.ingredient,
      source: row.source,
    })),
  },
  'interactions-label': {
    keyOf: (row) => `${row.subject_ingredients}, ${row.object_kind} ${row.object}`,
    clear: clearOne('careInteractions', 'label'),
    dayOf: (row) => row.label_effective,
    classOf: (row) => (row.object_kind === 'class' ? row.object : null),
    toRows: each('careInteractions', (row) => ({
      id: interactionId('label', row.subject_ingredients, row.object, row.object_kind),
      list: 'label' as const,
      subject: row.subject_ingredients,
      object: row.object,
      objectKind: row.object_kind,
      level: row.level,
      sentence: row.label_sentence,
      splSetId: row.spl_set_id,
      effective: row.label_effective,
    })),
  },
  'interactions-ndfrt': {
    // A pair without direction is the same both ways round.
    keyOf: (row) => sortedPair(row).join(', '),
    clear: clearOne('careInteractions', 'ndfrt'),
    toRows: each('careInteractions', (row) => ({
      id: interactionId('ndfrt', ...sortedPair(row), 'ingredient'),
      list: 'ndfrt' as const,
      subject: row.ingredient_a,
      object: row.ingredient_b,
      objectKind: 'ingredient' as const,
      level: row.severity === 'Critical' ? ('critical' as const) : ('significant' as const),
      sentence: null,
      splSetId: null,
      effective: null,
    })),
  },
  'allergy-groups': {
    keyOf: (row) => `${row.group}, ${row.ingredient}`,
    clear: clearAll('careAllergyGroups'),
    toRows: each('careAllergyGroups', (row) => ({
      allergyGroup: row.group,
      ingredient: row.ingredient,
      source: row.source,
    })),
  },
  'allergy-label': {
    keyOf: (row) => `${row.ingredients}, ${row.allergen_group}`,
    clear: clearAll('careAllergyLabels'),
    dayOf: (row) => row.label_effective,
    toRows: each('careAllergyLabels', (row) => ({
      ingredients: row.ingredients,
      allergenGroup: row.allergen_group,
      sentence: row.label_sentence,
      splSetId: row.spl_set_id,
      effective: row.label_effective,
    })),
  },
  'label-safety': {
    keyOf: (row) => row.ingredients,
    clear: clearAll('careLabelSafety'),
    dayOf: (row) => row.label_effective,
    toRows: each('careLabelSafety', (row) => ({
      ingredients: row.ingredients,
      productType: row.product_type,
      brand: row.brand,
      applicationNumber: row.application_number,
      splSetId: row.spl_set_id,
      effective: row.label_effective,
      snapshot: row.snapshot,
      boxedWarning: row.boxed_warning,
      contraindications: row.contraindications,
      pregnancyCategory: row.pregnancy_category,
      pregnancyContraindicated: row.pregnancy_contraindicated,
      pregnancyBoxed: row.pregnancy_boxed,
      ageWarning: row.age_warning,
      elderlyWarning: row.elderly_warning,
      remsMentioned: row.rems_mentioned,
      medicationGuide: row.medication_guide,
      pediatricUse: row.pediatric_use,
      geriatricUse: row.geriatric_use,
    })),
  },
  'boxed-warnings': {
    keyOf: (row) => row.application_number,
    clear: clearAll('careBoxedWarnings'),
    toRows: each('careBoxedWarnings', (row) => ({
      applicationNumber: row.application_number,
      ingredients: row.ingredients,
      hasBoxedWarning: row.has_boxed_warning,
      warning: row.boxed_warning_text,
    })),
  },
  'therapeutic-equivalence': {
    // An application has a strength twice when only one of the two products is rated.
    keyOf: (_row, text) => text,
    clear: clearAll('careEquivalents'),
    dayOf: (row) => row.approval_date,
    toRows: each('careEquivalents', (row, line) => ({
      line,
      applicationNumber: row.application_number,
      tradeName: row.trade_name,
      activeIngredient: row.active_ingredient,
      ingredients: row.ingredients,
      formRoute: row.form_route,
      strength: row.strength,
      sponsor: row.sponsor,
      approvalDate: row.approval_date,
      marketingStatus: row.marketing_status,
      teCode: row.te_code,
      listIsComplete: row.ingredient_list_complete,
    })),
  },
  recalls: {
    keyOf: (row) => row.recall_number,
    clear: clearOne('careRecalls', 'recalls'),
    dayOf: (row) => row.reported,
    toRows: (lines, from) => ({
      careRecalls: lines.map(({ row }) => ({
        ...toRecall(row.recall_number, 'recalls', row),
        initiated: row.initiated,
        reported: row.reported,
        terminated: row.terminated,
        allLots: row.all_lots,
        lotNote:
          from === 'openfda' || row.lots.length < maxListedLots
            ? row.code_info_if_no_lot_parsed
            : moreLotsNote,
        ingredients: row.ingredients,
      })),
      careRecallPackages: lines.flatMap(({ row }) => toRecallPackages(row.recall_number, row)),
      careRecallLots: lines.flatMap(({ row }) => toRecallLots(row.recall_number, row.lots)),
    }),
  },
  'recalls-2023-2025-no-lots': {
    keyOf: (row) => row.fda_product_id,
    clear: clearOne('careRecalls', 'recalls-2023-2025-no-lots'),
    dayOf: (row) => row.classified,
    toRows: (lines) => ({
      careRecalls: lines.map(({ row }) => ({
        ...toRecall(`product-${row.fda_product_id}`, 'recalls-2023-2025-no-lots', row),
        initiated: null,
        reported: row.classified,
        terminated: null,
        allLots: false,
        lotNote: null,
        ingredients: null,
      })),
      careRecallPackages: lines.flatMap(({ row }) => toRecallPackages(`product-${row.fda_product_id}`, row)),
    }),
  },
  shortages: {
    // The publisher lists a package once for each change.
    keyOf: () => null,
    clear: clearAll('careShortages'),
    dayOf: (row) => row.updated,
    toRows: each('careShortages', (row, line) => ({
      line,
      packageNdc: toPackageDigits(row.package_ndc) ?? row.package_ndc,
      genericName: row.generic_name,
      ingredients: row.ingredients,
      status: row.status,
      availability: row.availability,
      reason: row.reason,
      dosageForm: row.dosage_form,
      presentation: row.presentation,
      company: row.company,
      firstPosted: row.first_posted,
      updated: row.updated,
      discontinued: row.discontinued,
      note: row.note,
      therapeuticCategory: row.therapeutic_category,
    })),
  },
  'controlled-us': {
    keyOf: (row) => row.ingredients,
    clear: clearAll('careControlledSubstances'),
    toRows: each('careControlledSubstances', (row) => ({
      ingredients: row.ingredients,
      schedule: row.dea_schedule,
      authority: row.authority,
      labelEvidence: row.label_evidence,
      note: row.note,
    })),
  },
  'rules-import-refill': {
    keyOf: (row) => row.rule_id,
    clear: clearAll('careImportRules'),
    toRows: each('careImportRules', (row) => ({
      id: row.rule_id,
      country: row.country,
      direction: row.direction,
      appliesTo: row.applies_to,
      situation: row.situation,
      rule: row.rule,
      limitValue: row.limit_value,
      limitUnit: row.limit_unit,
      authority: row.authority,
      sourceTitle: row.source_title,
      sourceDate: row.source_date,
      howRead: row.how_read,
    })),
  },
  'postal-regions': {
    keyOf: (row) => `${row.country} ${row.prefix_from}`,
    clear: clearAll('carePostalRegions'),
    toRows: each('carePostalRegions', (row) => ({
      country: row.country,
      prefixFrom: row.prefix_from,
      prefixTo: row.prefix_to,
      region: row.region,
    })),
  },
}
