import type { DosageForm } from '#domain/catalog/catalog.ts'
import type { RouteGroup } from './routes.ts'

type Rule = readonly [pattern: RegExp, form: DosageForm, where?: readonly RouteGroup[]]

/**
 * Maps the directories' 150 forms to the specification's eleven. The first matching rule wins.
 * Forms outside the eleven map to the most similar one: a lozenge is a tablet, a lotion a cream, an
 * implant an injection, a pessary a suppository. The directory's own form is stored beside it and
 * shown.
 */
const rules: readonly Rule[] = [
  [/PATCH|PLASTER/, 'patch'],
  [/^FILM|^STRIP/, 'patch', ['transdermal', 'topical', 'ophthalmic']],
  [/PELLET|SUPPOSITORY/, 'suppository', ['urethral', 'rectal', 'vaginal']],
  [/SUPPOSITORY|OVULE|PESSARY|INSERT|\bRING|INTRAUTERINE/, 'suppository'],
  [/SPONGE/, 'suppository', ['vaginal']],
  [/IMPLANT/, 'injection'],
  [/WAFER/, 'injection', ['injection']],
  [/^CAPSULE/, 'inhaler', ['inhalation']],
  [/^(?:VAGINAL )?CAPSULE/, 'capsule'],
  [/TABLET|LOZENGE|WAFER|\bDISC\b|^FILM|TROCHE|PASTILLE|\bGUM\b|^STRIP|PELLET|CAPLET/, 'tablet'],
  [/CAPSULE/, 'capsule'],
  [/SYRUP|ELIXIR/, 'syrup'],
  [/SOLUTION, GEL FORMING/, 'liquid'],
  [/CREAM|LOTION/, 'cream'],
  [/OINTMENT|STICK/, 'ointment'],
  [/\bGEL\b|JELLY|DENTIFRICE/, 'gel'],
  [/PASTE/, 'gel', ['dental', 'oral', 'oromucosal']],
  [/PASTE/, 'ointment'],
  [/INJECT/, 'injection'],
  [/\bGAS\b|INHALANT|AEROSOL|POWDER|SPRAY|METERED/, 'inhaler', ['inhalation']],
  [/./, 'injection', ['injection']],
  [/EMULSION|^POWDER$|^POWDER;/, 'cream', ['topical']],
  [/INHALER/, 'inhaler'],
]

/** A kit's form is that of its contents, else follows from its route. */
const kitRules: readonly Rule[] = [
  [/TABLET|BLISTER|DIALPACK/, 'tablet'],
  [/CAPSULE/, 'capsule'],
  [/PATCH/, 'patch'],
  [/SYRINGE|VIAL|AMPULE|CARTRIDGE|AMPOULE/, 'injection'],
  [/./, 'injection', ['injection']],
  [/ G IN 1 TUBE/, 'cream'],
  [/./, 'tablet', ['oral']],
]

const firstMatch = (table: readonly Rule[], words: string, route: RouteGroup): DosageForm | undefined =>
  table.find(([pattern, , where]) => pattern.test(words) && (!where || where.includes(route)))?.[1]

/**
 * The specification's form for a directory's form. All other liquids are "liquid".
 * @param contents the package description, read for kits
 */
export function findDosageForm(form: string, route: RouteGroup, contents = ''): DosageForm {
  const forms = form
    .toUpperCase()
    .split('; ')
    .filter((word) => word !== 'KIT')
  if (forms.length === 0) return firstMatch(kitRules, contents.toUpperCase(), route) ?? 'liquid'
  return firstMatch(rules, forms.join('; '), route) ?? 'liquid'
}
