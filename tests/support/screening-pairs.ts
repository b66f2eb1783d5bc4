import type { Screening, ScreeningList } from '#domain/screening/alert.ts'
import { reachOf } from '#domain/screening/routes.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import { ingredientsNamed } from '#domain/screening/wider-names.ts'
import type { CareLists } from './care-lists.ts'
import type { DirectoryMedicine } from './directory-medicines.ts'
import { lineOf, medicationOf, patientWith } from './screening.ts'
import { sample } from './seeded.ts'

/**
 * Pairs of real medicines that a list has or that none has. Which list has a pair is told from the
 * rows alone, without the rules under test.
 */

const today = '2026-11-22'

export type ListedPair = {
  list: ScreeningList
  /** What the list says: "WARFARIN > IBUPROFEN". */
  row: string
  input: ScreeningInput
  isFound: (screening: Screening) => boolean
}

type Random = () => number

/** Medicines by what they contain. */
export function indexMedicines(medicines: readonly DirectoryMedicine[]) {
  const byIngredient = new Map<string, DirectoryMedicine[]>()
  for (const medicine of medicines)
    for (const ingredient of medicine.ingredients)
      byIngredient.set(ingredient, [...(byIngredient.get(ingredient) ?? []), medicine])
  return {
    medicines,
    /** Those that have all ingredients of "A + B". */
    having: (set: string): DirectoryMedicine[] => {
      const [first = '', ...others] = set.split(' + ')
      return (byIngredient.get(first) ?? []).filter(({ ingredients }) =>
        others.every((other) => ingredients.includes(other)),
      )
    },
  }
}
export type MedicineIndex = ReturnType<typeof indexMedicines>

const pick = <T>(values: readonly T[], random: Random): T | undefined =>
  values[Math.floor(random() * values.length)]

/** One of each, that are not the same medicine; null when the directories have none. */
function pickTwo(
  index: MedicineIndex,
  [a, b]: readonly [string, string],
  random: Random,
  isUsable: (medicine: DirectoryMedicine) => boolean = () => true,
): [DirectoryMedicine, DirectoryMedicine] | null {
  const first = pick(index.having(a).filter(isUsable), random)
  if (!first) return null
  const second = pick(
    index
      .having(b)
      .filter((medicine) => isUsable(medicine) && medicine.ingredients.join() !== first.ingredients.join()),
    random,
  )
  return second ? [first, second] : null
}

/** One is ordered and the other is taken, in random order, or both are ordered. */
export function toPairInput(
  [a, b]: readonly [DirectoryMedicine, DirectoryMedicine],
  random: Random,
): ScreeningInput {
  const [one, other] = random() < 0.5 ? [a, b] : [b, a]
  const line = lineOf(one.ingredients, { id: '1', name: one.name, variantId: '1', route: one.route })
  const asLine = random() < 0.3
  return {
    today,
    lines: asLine
      ? [line, lineOf(other.ingredients, { id: '2', name: other.name, variantId: '2', route: other.route })]
      : [line],
    patient: patientWith({
      medications: asLine ? [] : [medicationOf(other.ingredients, { name: other.name, route: other.route })],
    }),
  }
}

/** Random rows of the interaction lists whose two things the directories have. */
export function drawInteractions(
  lists: CareLists,
  index: MedicineIndex,
  {
    list,
    by,
    count,
    random,
  }: {
    list: 'interactions-ndfrt' | 'interactions-label'
    by: 'ingredient' | 'class'
    count: number
    random: Random
  },
): ListedPair[] {
  const rows = lists.interactions.filter((row) => row.list === list && row.objectKind === by)
  const pairs: ListedPair[] = []
  // Rows of a class are drawn again and again, for another member each time.
  const rounds = by === 'class' ? 5 : 1
  const drawn = Array.from({ length: rounds }, () => sample(rows, rows.length, random)).flat()
  for (const row of drawn) {
    if (pairs.length === count) break
    const members = (lists.membersOf.get(row.object) ?? []).map(({ ingredient }) => ingredient)
    const object =
      by === 'class'
        ? pick(
            members.filter((name) => !row.subject.includes(name)),
            random,
          )
        : row.object
    const medicines = object === undefined ? null : pickTwo(index, [row.subject, object], random)
    if (!medicines) continue
    pairs.push({
      list,
      row: `${row.subject} > ${row.object}`,
      input: toPairInput(medicines, random),
      isFound: ({ alerts }) =>
        alerts.some(
          ({ kind, sources }) => kind === 'interaction' && sources.some(({ rowKey }) => rowKey === row.id),
        ),
    })
  }
  return pairs
}

/** Random pairs of ingredients of the same class, both for systemic use. */
export function drawSameClass(
  lists: CareLists,
  index: MedicineIndex,
  { count, random }: { count: number; random: Random },
): ListedPair[] {
  const groups = [...classGroups(lists)].filter(([, ingredients]) => ingredients.size > 1)
  const pairs: ListedPair[] = []
  for (let tries = 0; tries < count * 50 && pairs.length < count; tries++) {
    const [group, members] = pick(groups, random) ?? ['', new Set<string>()]
    const [a, b] = sample([...members], 2, random)
    if (a === undefined || b === undefined) continue
    const medicines = pickTwo(index, [a, b], random, ({ route }) => reachOf(route) === 'systemic')
    // A combination that has both is the same ingredient twice.
    if (!medicines || medicines.some(({ ingredients }) => ingredients.includes(a) && ingredients.includes(b)))
      continue
    if (medicines[0].ingredients.includes(b) || medicines[1].ingredients.includes(a)) continue
    const key = `same-class:${[a, b].toSorted().join('|')}`
    pairs.push({
      list: 'ingredient-classes',
      row: `${group}: ${a}, ${b}`,
      input: toPairInput(medicines, random),
      isFound: ({ alerts }) => alerts.some((alert) => alert.key === key),
    })
  }
  return pairs
}

/** Ingredients by class: EPC, and ATC level 4 of systemic use. */
function classGroups({ classes }: CareLists): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>()
  for (const { system, code, name, ingredient } of classes) {
    const isLocal = /^(?:A01|C05A|D|G01|M02|R01A|R02|S)/.test(code)
    const group = system === 'EPC' ? name : code.length < 5 || isLocal ? null : code.slice(0, 5)
    if (group !== null) groups.set(group, (groups.get(group) ?? new Set()).add(ingredient))
  }
  return groups
}

/** Random rows of the allergy groups, for allergies to the group and to another of its members. */
export function drawAllergies(
  lists: CareLists,
  index: MedicineIndex,
  { count, random }: { count: number; random: Random },
): ListedPair[] {
  const pairs: ListedPair[] = []
  const groups = new Map<string, string[]>()
  for (const { group, ingredient } of lists.allergyGroups)
    groups.set(group, [...(groups.get(group) ?? []), ingredient])
  for (let tries = 0; tries < count * 5 && pairs.length < count; tries++) {
    const row = pick(lists.allergyGroups, random)
    const medicine = row && pick(index.having(row.ingredient), random)
    if (!row || !medicine) continue
    const member = pick(groups.get(row.group) ?? [], random) ?? row.ingredient
    const allergy =
      random() < 0.5
        ? { name: row.group, kind: 'group' as const, key: row.group }
        : { name: member, kind: 'ingredient' as const, key: member }
    pairs.push({
      list: 'allergy-groups',
      row: `${row.ingredient} in ${row.group}, allergic to ${allergy.name}`,
      input: {
        today,
        lines: [lineOf(medicine.ingredients, { name: medicine.name, route: medicine.route })],
        patient: patientWith({ allergies: [allergy] }),
      },
      isFound: ({ alerts }) =>
        alerts.some(
          ({ kind, level, first }) => kind === 'allergy' && level === 'high' && first.key === row.ingredient,
        ),
    })
  }
  return pairs
}

/** Every row of the labels' allergies that a medicine has. */
export const listAllergyLabels = (lists: CareLists, index: MedicineIndex): ListedPair[] =>
  lists.allergyLabels.flatMap((row): ListedPair[] => {
    const [medicine] = index.having(row.ingredients)
    if (!medicine) return []
    return [
      {
        list: 'allergy-label',
        row: `${row.ingredients}, allergic to ${row.group}`,
        input: {
          today,
          lines: [lineOf(medicine.ingredients, { name: medicine.name, route: medicine.route })],
          patient: patientWith({ allergies: [{ name: row.group, kind: 'group', key: row.group }] }),
        },
        isFound: ({ alerts }) =>
          alerts.some(({ sources }) =>
            sources.some(
              ({ list, labelOf, grade }) =>
                list === 'allergy-label' && labelOf === row.ingredients && grade === row.group,
            ),
          ),
      },
    ]
  })

/** Random medicines whose ingredient the patient already takes in another medicine. */
export function drawSameIngredient(
  index: MedicineIndex,
  { count, random }: { count: number; random: Random },
): ListedPair[] {
  const pairs: ListedPair[] = []
  const systemic = index.medicines.filter(({ route }) => reachOf(route) === 'systemic')
  for (let tries = 0; tries < count * 20 && pairs.length < count; tries++) {
    const first = pick(systemic, random)
    const ingredient = first && pick(first.ingredients, random)
    if (!first || ingredient === undefined || ingredient === 'WATER') continue
    const others = index
      .having(ingredient)
      .filter(
        ({ route, ingredients }) =>
          reachOf(route) === 'systemic' && ingredients.join() !== first.ingredients.join(),
      )
    const second = pick(others, random)
    if (!second) continue
    pairs.push({
      list: 'ingredient-names',
      row: `${ingredient} twice`,
      input: toPairInput([first, second], random),
      isFound: ({ alerts }) =>
        alerts.some(
          ({ kind, level, first: { key } }) =>
            kind === 'same-ingredient' && level === 'high' && key.split(' + ').includes(ingredient),
        ),
    })
  }
  return pairs
}

/** Random medicines of which no list has any pair, and that share no class and no ingredient. */
export function drawUnlisted(
  lists: CareLists,
  index: MedicineIndex,
  { count, random }: { count: number; random: Random },
): ScreeningInput[] {
  const listed = listedPairs(lists)
  const classesOf = new Map<string, Set<string>>()
  for (const [group, members] of classGroups(lists))
    for (const member of members) classesOf.set(member, (classesOf.get(member) ?? new Set()).add(group))
  const isListed = (a: DirectoryMedicine, b: DirectoryMedicine): boolean =>
    a.ingredients.some((one) =>
      b.ingredients.some(
        (other) =>
          one === other ||
          listed.pairs.has(`${one}|${other}`) ||
          [...(classesOf.get(one) ?? [])].some((group) => classesOf.get(other)?.has(group)),
      ),
    ) ||
    listed.sets.some(
      ({ subject, object }) =>
        (subject.every((name) => hasNamed(a, name)) && b.ingredients.includes(object)) ||
        (subject.every((name) => hasNamed(b, name)) && a.ingredients.includes(object)),
    )
  const inputs: ScreeningInput[] = []
  while (inputs.length < count) {
    const [a, b] = [pick(index.medicines, random), pick(index.medicines, random)]
    if (a && b && !isListed(a, b)) inputs.push(toPairInput([a, b], random))
  }
  return inputs
}

const hasNamed = ({ ingredients }: DirectoryMedicine, name: string): boolean =>
  ingredientsNamed(name).some((ingredient) => ingredients.includes(ingredient))

/** All pairs of the interaction lists, with classes replaced by their members. */
function listedPairs({ interactions, membersOf }: CareLists) {
  const pairs = new Set<string>()
  const sets: { subject: string[]; object: string }[] = []
  for (const { subject, object, objectKind } of interactions) {
    const objects =
      objectKind === 'class' ? (membersOf.get(object) ?? []).map(({ ingredient }) => ingredient) : [object]
    for (const name of objects.flatMap(ingredientsNamed))
      if (subject.includes(' + ')) sets.push({ subject: subject.split(' + '), object: name })
      else for (const one of ingredientsNamed(subject)) pairs.add(`${one}|${name}`).add(`${name}|${one}`)
  }
  return { pairs, sets }
}
