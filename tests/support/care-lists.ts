import { groupBy } from '#domain/group-by.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import { toFactKeys } from '#domain/screening/fact-keys.ts'
import type {
  AllergyLabelFact,
  ClassFact,
  InteractionFact,
  LabelSafetyFact,
  ScreeningFacts,
} from '#domain/screening/facts.ts'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** The lists of db/seed/care in memory, for tests of the rules without a database. */

type Row = Readonly<Record<string, string>>

/** The rows of a TSV file, by column. */
export function readTsv(path: string): Row[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const [header = '', ...lines] = text.split('\n')
  const columns = header.split('\t')
  return lines
    .filter(Boolean)
    .map((line) => Object.fromEntries(line.split('\t').map((value, index) => [columns[index] ?? '', value])))
}

const readList = (name: string): Row[] => readTsv(`db/seed/care/${name}`)
const orNull = (text: string | undefined): string | null => text || null

/** Every substance name of both directories with its ingredient. */
export function readIngredientNames(): {
  country: string
  name: string
  ingredient: string
  products: number
}[] {
  const nameColumn = 'catalogue_name'
  return readList('ingredient-names.tsv').map((row) => ({
    country: row.country ?? '',
    name: row[nameColumn] ?? '',
    ingredient: row.ingredient ?? '',
    products: Number(row.products),
  }))
}

export type CareLists = ReturnType<typeof readCareLists>

/** All lists that the rules read. Takes about half a second. */
export function readCareLists() {
  const ndfrt = readList('interactions-ndfrt.tsv').map((row): InteractionFact => ({
    id: `ndfrt:${row.ingredient_a}|${row.ingredient_b}`,
    list: 'interactions-ndfrt',
    subject: row.ingredient_a ?? '',
    object: row.ingredient_b ?? '',
    objectKind: 'ingredient',
    level: row.severity === 'Critical' ? 'critical' : 'significant',
    sentence: null,
    setId: null,
    labelDate: null,
  }))
  const labels = readList('interactions-label.tsv.gz').map((row): InteractionFact => ({
    id: `label:${row.subject_ingredients}|${row.object}`,
    list: 'interactions-label',
    subject: row.subject_ingredients ?? '',
    object: row.object ?? '',
    objectKind: row.object_kind === 'class' ? 'class' : 'ingredient',
    level: row.level === 'contraindicated' || row.level === 'boxed' ? row.level : 'interaction',
    sentence: orNull(row.label_sentence),
    setId: orNull(row.spl_set_id),
    labelDate: orNull(row.label_effective),
  }))
  const classes = readList('ingredient-classes.tsv').flatMap((row): ClassFact[] =>
    row.system === 'EPC' || row.system === 'ATC'
      ? [
          {
            ingredient: row.ingredient ?? '',
            system: row.system,
            code: row.class_code ?? '',
            name: row.class_name ?? '',
          },
        ]
      : [],
  )
  const classMembers = readList('interaction-class-members.tsv').map((row) => ({
    className: row.class ?? '',
    ingredient: row.ingredient ?? '',
  }))
  const allergyGroups = readList('allergy-groups.tsv').map((row) => ({
    group: row.group ?? '',
    ingredient: row.ingredient ?? '',
  }))
  const allergyLabels = readList('allergy-label.tsv').map((row): AllergyLabelFact => ({
    ingredients: row.ingredients ?? '',
    group: row.allergen_group ?? '',
    sentence: row.label_sentence ?? '',
    setId: orNull(row.spl_set_id),
    labelDate: orNull(row.label_effective),
  }))
  const labelSafety = readList('label-safety.tsv.gz').map((row): LabelSafetyFact => ({
    ingredients: row.ingredients ?? '',
    boxedWarning: orNull(row.boxed_warning),
    pregnancyContraindicated: orNull(row.pregnancy_contraindicated),
    pregnancyBoxed: orNull(row.pregnancy_boxed),
    ageWarning: orNull(row.age_warning),
    elderlyWarning: orNull(row.elderly_warning),
    hasRems: row.rems_mentioned === 'Y',
    hasMedicationGuide: row.medication_guide === 'Y',
    setId: orNull(row.spl_set_id),
    labelDate: orNull(row.label_effective),
  }))
  const dates = readList('lists.tsv').map((row) => [row.list ?? '', orNull(row.date)] as const)
  return {
    listDates: Object.fromEntries(dates),
    interactions: [...ndfrt, ...labels],
    bySubject: groupBy([...ndfrt, ...labels], ({ subject }) => subject),
    classes,
    classesOf: groupBy(classes, ({ ingredient }) => ingredient),
    classMembers,
    classesNamedFor: groupBy(classMembers, ({ ingredient }) => ingredient),
    membersOf: groupBy(classMembers, ({ className }) => className),
    allergyGroups,
    allergyGroupsOf: groupBy(allergyGroups, ({ ingredient }) => ingredient),
    allergyLabels,
    labelSafety,
    labelOf: new Map(labelSafety.map((label) => [label.ingredients, label])),
  }
}

/** The rows of the lists that a case looks up: what `db/screening` reads, in memory. */
export function findFacts(
  lists: CareLists,
  { lines, patient }: Pick<ScreeningInput, 'lines' | 'patient'>,
): ScreeningFacts {
  const keys = toFactKeys(lines, patient)
  const ingredients = new Set(keys.ingredients)
  const classMembers = keys.ingredients.flatMap((ingredient) => lists.classesNamedFor.get(ingredient) ?? [])
  const classNames = new Set(classMembers.map(({ className }) => className))
  const lineSubjects = new Set(keys.lineSubjects)
  return {
    listDates: lists.listDates,
    interactions: keys.subjects
      .flatMap((subject) => lists.bySubject.get(subject) ?? [])
      .filter(({ object, objectKind }) =>
        objectKind === 'class' ? classNames.has(object) : ingredients.has(object),
      ),
    classes: keys.ingredients.flatMap((ingredient) => lists.classesOf.get(ingredient) ?? []),
    classMembers,
    allergyGroups: keys.allergyIngredients.flatMap(
      (ingredient) => lists.allergyGroupsOf.get(ingredient) ?? [],
    ),
    allergyLabels:
      keys.allergyIngredients.length === 0
        ? []
        : lists.allergyLabels.filter((label) => lineSubjects.has(label.ingredients)),
    labelSafety: keys.labelSets.flatMap((subject) => lists.labelOf.get(subject) ?? []),
    boxedWarnings: [],
    recalls: [],
    shortages: [],
  }
}
