import { z } from 'zod'
import type { CareListName } from './care-lists.ts'

/** The columns of each list's file. Empty means unknown and becomes null. */

const maxSet = 4000
const maxSentence = 2000

const text = (max: number) => z.string().min(1).max(max)
const maybe = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => value || null)
const upperText = (max: number) => text(max).toUpperCase()

const ingredient = upperText(300)
const isSorted = (set: string): boolean => {
  const parts = set.split(' + ')
  return parts.every((part, i) => part !== '' && (i === 0 || (parts[i - 1] ?? '') <= part))
}
const ingredients = upperText(maxSet).refine(isSorted, 'is not a sorted set, joined by " + "')
const maybeIngredients = maybe(maxSet)
  .transform((value) => value?.toUpperCase() ?? null)
  .refine((value) => value === null || isSorted(value), 'is not a sorted set, joined by " + "')

const noDate = 'is not a date like 2026-07-16'
const day = z.iso.date(noDate)
const maybeDay = z.union([z.literal('').transform(() => null), z.iso.date(noDate)], noDate)
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'is not a month like 2026-07')

const yesNo = z.enum(['Y', 'N']).transform((value) => value === 'Y')
const yesOrEmpty = z.enum(['Y', '']).transform((value) => value === 'Y')
const count = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a whole number')
  .transform(Number)
const country = z.enum(['US', 'CA'])
const splSetId = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'is not a label’s id')
/** "ANDA018659", "NDA020977", "BLA103000", "part341", "unapproved drug other". */
const applicationNumber = text(60)
const packageNdc = z
  .string()
  .regex(/^[\dA-Z]{4,6}-[\dA-Z]{3,4}-[\dA-Z]{1,2}$/i, 'is not a package NDC with dashes')
const list = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => value.split(';').flatMap((part) => part.trim() || []))
const packageNdcs = list(20_000).pipe(z.array(packageNdc))
const productNdcs = list(20_000).pipe(
  z.array(z.string().regex(/^[\dA-Z]{4,6}-[\dA-Z]{3,4}$/i, 'is not a product NDC with a dash')),
)
const lots = list(40_000).pipe(z.array(z.string().max(60)))

const recall = {
  event_id: text(20),
  class: z.enum(['I', 'II', 'III']),
  status: z.enum(['Ongoing', 'Completed', 'Terminated', 'Pending']),
  firm: text(300),
  reason: text(maxSentence),
  product: text(4000),
  package_ndcs: packageNdcs,
  product_ndcs: productNdcs,
  distribution: maybe(2000),
}

export const careColumns = {
  'ingredient-names': z.object({
    country,
    catalogue_name: upperText(300),
    ingredient,
    products: count,
  }),
  ingredients: z.object({
    ingredient,
    unii: maybe(10),
    rxcui: maybe(10),
    atc_codes: maybe(500),
  }),
  'ingredient-classes': z.object({
    ingredient,
    system: z.enum(['EPC', 'MoA', 'PE', 'CS', 'ATC']),
    // Health Canada stars codes of its own.
    class_code: z
      .string()
      .regex(/^[\dA-Z]{0,8}\*?$/, 'is not an ATC code')
      .transform((value) => value.replace('*', '')),
    class_name: text(300),
    source: text(200),
  }),
  'rxnorm-brands': z.object({ brand: text(300), ingredient }),
  'interaction-class-members': z.object({ class: text(200), ingredient, source: text(1000) }),
  'interactions-label': z.object({
    subject_ingredients: ingredients,
    object: text(300),
    object_kind: z.enum(['ingredient', 'class']),
    level: z.enum(['contraindicated', 'boxed', 'interaction']),
    label_sentence: text(maxSentence),
    spl_set_id: splSetId,
    label_effective: day,
  }),
  'interactions-ndfrt': z.object({
    ingredient_a: ingredient,
    ingredient_b: ingredient,
    severity: z.enum(['Critical', 'Significant']),
  }),
  'allergy-groups': z.object({ group: text(100), ingredient, source: text(1000) }),
  'allergy-label': z.object({
    ingredients,
    allergen_group: text(100),
    label_sentence: text(maxSentence),
    spl_set_id: splSetId,
    label_effective: day,
  }),
  'label-safety': z.object({
    ingredients,
    product_type: z.enum(['Rx', 'OTC']),
    brand: text(300),
    application_number: maybe(60),
    spl_set_id: splSetId,
    label_effective: day,
    snapshot: month,
    boxed_warning: maybe(10_000),
    contraindications: maybe(10_000),
    pregnancy_category: z.enum(['A', 'B', 'C', 'D', 'X', '']).transform((value) => value || null),
    pregnancy_contraindicated: maybe(maxSentence),
    pregnancy_boxed: maybe(maxSentence),
    age_warning: maybe(maxSentence),
    elderly_warning: maybe(maxSentence),
    rems_mentioned: yesOrEmpty,
    medication_guide: yesOrEmpty,
    pediatric_use: maybe(maxSentence),
    geriatric_use: maybe(maxSentence),
  }),
  'boxed-warnings': z.object({
    application_number: applicationNumber,
    ingredients: maybeIngredients,
    has_boxed_warning: yesNo,
    boxed_warning_text: maybe(10_000),
  }),
  'therapeutic-equivalence': z.object({
    application_number: applicationNumber,
    trade_name: text(500),
    active_ingredient: text(1000),
    // Where the FDA’s own text has commas, this column has them too.
    ingredients: upperText(maxSet),
    form_route: text(300),
    strength: maybe(1000),
    sponsor: text(200),
    approval_date: maybeDay,
    marketing_status: z.enum([
      'Prescription',
      'Over-the-counter',
      'Discontinued',
      'None (Tentative Approval)',
    ]),
    te_code: z
      .string()
      .regex(/^(?:[AB][A-Z]\d?|TBD|)$/, 'is not an equivalence code')
      .transform((value) => value || null),
    ingredient_list_complete: yesNo,
  }),
  recalls: z.object({
    ...recall,
    recall_number: z.string().regex(/^D-?\d{1,6}-\d{1,4}$/, 'is not a recall number'),
    initiated: day,
    reported: day,
    terminated: maybeDay,
    lots,
    all_lots: yesOrEmpty,
    code_info_if_no_lot_parsed: maybe(4000),
    ingredients: maybe(maxSet),
  }),
  'recalls-2023-2025-no-lots': z.object({
    ...recall,
    fda_product_id: z.string().regex(/^\d{1,9}$/, 'is not a product number'),
    classified: day,
  }),
  shortages: z.object({
    package_ndc: packageNdc,
    generic_name: text(500),
    ingredients: upperText(maxSet),
    status: z.enum(['Current', 'To Be Discontinued', 'Resolved']),
    availability: maybe(200),
    reason: maybe(500),
    dosage_form: maybe(200),
    presentation: text(2000),
    company: text(300),
    first_posted: day,
    updated: day,
    discontinued: maybeDay,
    note: maybe(maxSentence),
    therapeutic_category: text(1000),
  }),
  'controlled-us': z.object({
    ingredients,
    dea_schedule: z.enum(['II', 'III', 'IV', 'V']),
    authority: text(200),
    label_evidence: maybe(200),
    note: maybe(1000),
  }),
  'rules-import-refill': z.object({
    rule_id: text(100),
    country: z.string().regex(/^[A-Z]{2}$/, 'is not a country’s two letters'),
    direction: z.enum(['dispense', 'import']),
    applies_to: text(300),
    situation: text(500),
    rule: text(1000),
    limit_value: z.union([z.literal('').transform(() => null), count]),
    limit_unit: maybe(50),
    authority: text(300),
    source_title: text(300),
    source_date: maybe(10),
    how_read: text(300),
  }),
  'postal-regions': z.object({
    country,
    prefix_from: z.string().regex(/^(?:\d{3}|\d{5}|[A-Z])$/, 'is not the start of a postal code'),
    prefix_to: z.string().regex(/^(?:\d{3}|\d{5}|[A-Z])$/, 'is not the start of a postal code'),
    region: z.string().regex(/^[A-Z]{2}(?:;[A-Z]{2})*$/, 'is not a state or province'),
  }),
} satisfies Record<CareListName, z.ZodObject>

export type CareRow<Name extends CareListName> = z.output<(typeof careColumns)[Name]>

/** A line of lists.tsv, which names the lists of a folder. */
export const careManifestColumns = z.object({
  list: text(100),
  title: text(200),
  date: z
    .string()
    .regex(/^(?:\d{4}(?:-\d{2}(?:-\d{2})?)?)?$/, 'is not a date like 2026-07-16 or 2026-07')
    .refine((value) => value === '' || !Number.isNaN(Date.parse(value)), 'is not a date like 2026-07-16')
    .transform((value) => value || null),
  source: text(2000),
  license: text(2000),
})
