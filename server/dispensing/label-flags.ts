import { groupBy } from '#domain/group-by.ts'
import { noLabelRead, type LabelFlags } from '#domain/dispensing/label.ts'
import { toShownMoiety } from '#domain/screening/product-ingredients.ts'
import { z } from 'zod'

const listSchema = z
  .object({
    flagged: z.array(z.tuple([z.string(), z.enum(['G', 'R', 'GR']), z.string(), z.string()])),
    readWithoutFlag: z.array(z.string()),
  })
  .transform(({ flagged, readWithoutFlag }) =>
    withMoieties(
      new Map<string, LabelFlags>([
        ...readWithoutFlag.map(
          (key) => [key, { ...noLabelRead, isRead: true }] satisfies [string, LabelFlags],
        ),
        ...flagged.map(([key, flags, setId, effective]): [string, LabelFlags] => [
          key,
          { isRead: true, hasGuide: flags.includes('G'), hasRems: flags.includes('R'), setId, effective },
        ]),
      ]),
    ),
  )

/**
 * Adds the labels by moieties, which products name: the only label of diclofenac is that of
 * "DICLOFENAC EPOLAMINE". An exact label takes precedence.
 */
function withMoieties(labels: ReadonlyMap<string, LabelFlags>): ReadonlyMap<string, LabelFlags> {
  const byMoieties = groupBy(labels, ([key]) => {
    const names = key.split(' + ').map((name) => toShownMoiety(name).toUpperCase())
    return [...new Set(names)].toSorted().join(' + ')
  })
  const merged = [...byMoieties].map(
    ([key, entries]) => [key, combine(entries.map(([, flags]) => flags))] as const,
  )
  return new Map([...merged, ...labels])
}

let list: Promise<ReadonlyMap<string, LabelFlags>> | null = null

/** Read once: it has 1,193 labels. */
const loadList = (): Promise<ReadonlyMap<string, LabelFlags>> =>
  (list ??= import('./label-flags.json', { with: { type: 'json' } }).then(({ default: json }) =>
    listSchema.parse(json),
  ))

/**
 * What the FDA label of these ingredients says about a Medication Guide and a REMS. Labels are
 * looked up by the catalog's names and by the lists' keys: the label of "VALPROIC ACID" is that of
 * "Divalproex", too. Without a label of exactly this set, the flag of any of its ingredients
 * counts: a false flag costs a pharmacist a minute, a missing one could keep a warning from a
 * patient.
 *
 * @param ingredients of a product, joined by "; "; null when unknown
 * @param keys the same as the lists name them
 */
export async function findLabelFlags(
  ingredients: string | null,
  keys: readonly string[] = [],
): Promise<LabelFlags> {
  const known = await loadList()
  const names = (ingredients ?? '').toUpperCase().split('; ').filter(Boolean)
  const findExact = (set: readonly string[]) => known.get(set.toSorted().join(' + '))
  const each = [...names, ...keys].flatMap((name) => known.get(name) ?? flaggedBase(known, name) ?? [])
  return findExact(names) ?? findExact(keys) ?? combine(each.filter(isFlagged))
}

const isFlagged = ({ hasGuide, hasRems }: LabelFlags): boolean => hasGuide || hasRems

/** The most severe label, with every label's flags. */
function combine(labels: readonly LabelFlags[]): LabelFlags {
  const hasRems = labels.some((label) => label.hasRems)
  const hasGuide = labels.some((label) => label.hasGuide)
  const label =
    labels.find((one) => one.hasRems) ?? labels.find((one) => one.hasGuide) ?? labels[0] ?? noLabelRead
  return { ...label, hasGuide, hasRems }
}

/** The flagged label of a name's base: "MYCOPHENOLATE MOFETIL" finds "MYCOPHENOLATE". */
function flaggedBase(known: ReadonlyMap<string, LabelFlags>, name: string): LabelFlags | null {
  const words = name.split(' ')
  for (let length = words.length - 1; length > 0; length--) {
    const base = known.get(words.slice(0, length).join(' '))
    if (base?.hasGuide || base?.hasRems) return base
  }
  return null
}
