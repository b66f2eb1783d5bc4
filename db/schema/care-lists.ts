import type { Generated } from 'kysely'

/**
 * The open lists of db/seed/care. Dates are text, YYYY-MM-DD. `ingredient` is a key of
 * `care_ingredients` or of a medicine that no product has; `ingredients` is a set of them, sorted
 * and joined by " + ". Null means unknown, never "no".
 */
export type CareListsTable = {
  /** The file's name without its endings: "recalls". */
  name: string
  title: string
  source: string
  license: string
  /** The day its content stands for; null when the file does not say. */
  listDate: string | null
  /** Of the file as it was read, compressed or not. */
  sha256: string
  rowCount: number
  importedAt: Date
}

export type CareIngredientNamesTable = {
  country: 'US' | 'CA'
  /** A substance as the country's directory names it, in upper case. */
  name: string
  ingredient: string
  /** The name's base moiety in lower case (`toMoiety`), by which products know it. */
  moiety: string
  /** How many products of the country's directory have it. */
  products: number
}

export type CareIngredientsTable = {
  ingredient: string
  unii: string | null
  rxcui: string | null
  /** Joined by ";". */
  atcCodes: string | null
}

export type ClassSystem = 'EPC' | 'MoA' | 'PE' | 'CS' | 'ATC'

export type CareClassesTable = {
  ingredient: string
  system: ClassSystem
  /** Empty but for ATC. */
  code: string
  name: string
  source: string
}

export type CareBrandsTable = {
  /** The brand in upper case. */
  brandKey: string
  brand: string
  ingredient: string
}

/** Where a label mentions the other medicine; only `critical` and `significant` are grades. */
export type InteractionLevel = 'critical' | 'significant' | 'contraindicated' | 'boxed' | 'interaction'

export type CareInteractionsTable = {
  /** Made from list, subject, object and its kind: the same in every later edition of the list. */
  id: string
  /** NDF-RT's pairs have no direction; a label's subject is the medicine it belongs to. */
  list: 'ndfrt' | 'label'
  /** An ingredient, or the set of a combination ("A + B"). */
  subject: string
  /** An ingredient, or a class of `care_class_members`. */
  object: string
  objectKind: 'ingredient' | 'class'
  level: InteractionLevel
  /** The label's own words. Null for NDF-RT, as are the label's id and date. */
  sentence: string | null
  splSetId: string | null
  effective: string | null
}

export type CareClassMembersTable = { class: string; ingredient: string; source: string }

export type CareAllergyGroupsTable = { allergyGroup: string; ingredient: string; source: string }

/** What a label says of people who are allergic to another group or to an excipient. */
export type CareAllergyLabelsTable = {
  ingredients: string
  allergenGroup: string
  sentence: string
  splSetId: string
  effective: string
}

/** The newest label found for each set of ingredients; one stands for all makers. */
export type CareLabelSafetyTable = {
  ingredients: string
  productType: 'Rx' | 'OTC'
  brand: string
  applicationNumber: string | null
  splSetId: string
  effective: string
  /** The month in which the label was fetched: YYYY-MM. */
  snapshot: string
  boxedWarning: string | null
  contraindications: string | null
  pregnancyCategory: string | null
  pregnancyContraindicated: string | null
  pregnancyBoxed: string | null
  ageWarning: string | null
  elderlyWarning: string | null
  /** Word matches: false proves nothing. */
  remsMentioned: boolean
  medicationGuide: boolean
  pediatricUse: string | null
  geriatricUse: string | null
}

export type CareBoxedWarningsTable = {
  applicationNumber: string
  ingredients: string | null
  /** False when the label was read and none was found. */
  hasBoxedWarning: boolean
  warning: string | null
}

export type CareEquivalentsTable = {
  /** The line of the file: an application has several rows, and no column tells them apart. */
  line: number
  applicationNumber: string
  tradeName: string
  activeIngredient: string
  ingredients: string
  /** "TABLET;ORAL". */
  formRoute: string
  strength: string | null
  sponsor: string
  approvalDate: string | null
  marketingStatus: string
  teCode: string | null
  /** False where the source lists only the newest 50 products: a missing one proves nothing. */
  listIsComplete: boolean
}

export type CareRecallsTable = {
  /**
   * The FDA's recall number; "product-" and the product's number in the list without lots; "SHOP-"
   * and letters and digits of a recall that staff recorded.
   */
  id: string
  /** The name of the list it came with. */
  list: string
  eventId: string
  recallClass: 'I' | 'II' | 'III'
  /** False for a recall that staff recorded without a class. */
  classKnown: Generated<boolean>
  status: string
  initiated: string | null
  /** When the FDA published it: reported, or classified in the list without lots. */
  reported: string
  terminated: string | null
  firm: string
  reason: string
  product: string
  allLots: boolean
  /** What the report says of lots where none could be read. */
  lotNote: string | null
  distribution: string | null
  ingredients: string | null
}

/** Packages of a recall. Most are not in the catalog. */
export type CareRecallPackagesTable = {
  recallId: string
  /**
   * Eleven digits of a package; the nine of a product when no package of it is named; or "variant:"
   * and the ID of a variant, in a recall that staff recorded.
   */
  ndc: string
}

export type CareRecallLotsTable = {
  recallId: string
  /** As the report prints it. */
  lot: string
  /** In upper case, letters and digits only: what lots are compared by. */
  lotKey: string
}

export type CareShortagesTable = {
  /** The line of the file: a package may have several rows. */
  line: number
  /** Eleven digits. */
  packageNdc: string
  genericName: string
  ingredients: string
  status: string
  availability: string | null
  reason: string | null
  dosageForm: string | null
  presentation: string
  company: string
  firstPosted: string
  updated: string
  discontinued: string | null
  note: string | null
  therapeuticCategory: string
}

/** The federal schedule; a set's row beats its ingredients'. */
export type CareControlledSubstancesTable = {
  ingredients: string
  schedule: 'II' | 'III' | 'IV' | 'V'
  authority: string
  /** The label that states the schedule. */
  labelEvidence: string | null
  /** What the schedule depends on: strength, combination. */
  note: string | null
}

export type CareImportRulesTable = {
  id: string
  country: string
  direction: 'dispense' | 'import'
  appliesTo: string
  situation: string
  rule: string
  limitValue: number | null
  limitUnit: string | null
  authority: string
  sourceTitle: string
  sourceDate: string | null
  howRead: string
}

/** Which postal codes a state or province has, by their first characters. */
export type CarePostalRegionsTable = {
  country: 'US' | 'CA'
  prefixFrom: string
  prefixTo: string
  region: string
}
