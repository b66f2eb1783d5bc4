import { dosageForms, type DosageForm } from '../catalog/catalog.ts'
import { findForm } from './search-words.ts'

/**
 * Words that people type for a form or a route, and the words of labels that they stand for
 * (docs/search.md, "Lay words"). A label word is one of a directory's form ("INJECTION, SOLUTION"),
 * of our eleven forms or of a route.
 */
const meanings: readonly (readonly [typed: string, label: string])[] = [
  ['pill pills tabs', 'tablet capsule'],
  ['softgel softgels gelcap gelcaps', 'capsule tablet'],
  ['chew chews chewy gummy gummies', 'chewable'],
  ['melt melts meltaway dissolving dissolvable dissolve odt', 'disintegrating soluble effervescent'],
  ['drop drops', 'solution suspension emulsion liquid lozenge'],
  ['liquid liquids', 'solution suspension syrup elixir drop'],
  ['syrup syrups', 'elixir solution suspension liquid'],
  ['spray sprays mist', 'spray aerosol'],
  ['pen pens injector injectors autoinjector autoinjectors penfill', 'injection'],
  ['shot shots jab jabs needle needles syringe syringes prefilled', 'injection'],
  ['vial vials ampule ampules ampoule ampoules cartridge cartridges', 'injection'],
  ['iv im infusion drip', 'injection'],
  ['puffer puffers', 'inhaler aerosol inhalant'],
  ['inhaler inhalers', 'aerosol inhalant'],
  ['nebulizer nebuliser nebules nebs inhaled', 'inhalation'],
  ['patch patches plaster', 'transdermal'],
  ['salve balm', 'ointment'],
  ['rub', 'cream ointment gel'],
  ['mouthwash gargle', 'rinse mouthwash'],
  ['packet packets sachet sachets', 'powder granule granules'],
  ['er xr xl sr cr la', 'extended sustained controlled'],
  ['dr ec enteric', 'delayed enteric'],
  ['eye eyes eyedrop eyedrops', 'ophthalmic'],
  ['ear ears eardrop eardrops', 'otic'],
  ['nose nasal', 'nasal'],
  ['skin scalp topical', 'topical'],
  ['mouth oral', 'oral'],
  ['tongue', 'sublingual disintegrating'],
  ['vaginal vagina', 'vaginal'],
  ['rectal rectum', 'rectal'],
]

const routes: ReadonlySet<string> = new Set(
  'ophthalmic otic nasal topical oral sublingual vaginal rectal inhalation'.split(' '),
)

/** Whether a word names a route: "eye". With the form beside it, it is one thing: "eye drops". */
export const isRouteWord = (word: string): boolean => findRoutes(word).length > 0

const labelWords: ReadonlyMap<string, readonly string[]> = new Map(
  meanings.flatMap(([typed, label]) => typed.split(' ').map((word) => [word, label.split(' ')] as const)),
)

/** The words of labels that a lay word for a form or a route stands for. */
export const findLabelWords = (word: string): readonly string[] => labelWords.get(word) ?? []

/** The forms of ours that a word for a form may mean, where that is not the form itself. */
const formsMeant: ReadonlyMap<string, readonly DosageForm[]> = new Map([
  ['tablet', ['tablet', 'capsule']],
  ['capsule', ['tablet', 'capsule']],
  ['lozenge', ['tablet']],
  ['liquid', ['liquid', 'syrup']],
  ['syrup', ['syrup', 'liquid']],
  ['solution', ['liquid']],
  ['lotion', ['liquid', 'cream']],
  ['drop', ['liquid', 'gel']],
  ['spray', ['liquid', 'inhaler']],
])

/** Our forms that a word stands for: tablets and capsules for "pills". Empty for most words. */
export function findDosageForms(word: string): DosageForm[] {
  const form = findForm(word)
  const named = form === undefined ? findLabelWords(word) : [form]
  return [
    ...new Set(named.flatMap((name) => formsMeant.get(name) ?? dosageForms.filter((own) => own === name))),
  ]
}

/** The routes that a word stands for: "ophthalmic" for "eye". Empty for most words. */
export const findRoutes = (word: string): string[] =>
  (routes.has(word) ? [word] : findLabelWords(word)).filter((label) => routes.has(label))

/**
 * Plain English that people add to a medicine's name. It also occurs in names ("Pain Relief"), so
 * it never decides what a query is about while another word can.
 */
const plainWords: ReadonlySet<string> = new Set(
  `acid acne adult aid allergy anxiety anti antibiotic antidepressant appetite arthritis asthma baby back
  best birth bladder blood body bone bottle box brand breath burn buy cancer care cheap chest child children
  childrens cholesterol clot coated cold congestion control cost cough coupon cramp cream daily day depression
  diabetes diabetic diarrhea diet dose dry drug energy equivalent extra eye face fever flu foot for free
  fungal fungus generic gout gum hair hay head headache health healthy heart heartburn help high hot hour
  hypertension immune infection inflammation itch itching joint kids kidney leg liver long loss low lung
  market maximum med medication medications medicine medicines meds men migraine mild mood muscle nail name
  natural nausea nerve night now online over pack pain peak period pimple plus prescription pressure price
  pump rash reducer reflux refill regular relaxant relaxer relief reliever rhinitis safe scalp seizure
  sensitive side effects simple sinus size skin sleep sleeping slow small smoking soft sore spray stomach
  stop store stress strength sugar support swelling tension therapy thin thinner throat thyroid tired
  tongue tooth treat treatment ulcer urinary vitamin water weight women womens wound yeast young`.split(
    /\s+/,
  ),
)

export const isPlainWord = (word: string): boolean => plainWords.has(word)
