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
 * Plain English that people add to a medicine's name, and Spanish words for a pain. They also occur
 * in names ("Pain Relief"), so they never decide what a query is about while another word can.
 */
const plainWords: ReadonlySet<string> = new Set(
  `ache aches aching acid acne adult aid allergy always anti antibiotic antidepressant anxiety any appetite
  arthritis ask asthma attack attacks baby back bad bathroom bed best between birth bite bites
  bladder bleeding blood body bone bottle box brand break breaking breath bring bug burn burning buy by
  called can cancer cant care change cheap chest child children childrens cholesterol cleaner clear clot
  coated cold come comfort computer congestion control cool cost cough coupon cramp cream crying cut daily
  day days depression diabetes diabetic diarrhea diet difficulty dizzy doctor does dose drink driving
  drops drug dry ears eat effects energy equivalent every everyday extra eye face fall fast feel feeling
  feet fever fix flu food foot for free from fungal fungus generic get getting girl give go going
  gone good gout growth gum gums hair hand hands hard has have hay head headache heal health healthy heart
  heartburn heavy help her high him his hot hour hurt hurts hypertension if immune infection inflammation
  instead itch itching jock joint keep kidney kids large last leg legs less lice lips little liver
  long loss low lower lung make making man market maximum med medication medications medicine medicines
  meds men mens migraine mild mood more morning much muscle muscles my nail name natural nausea need needs
  nerve new nice night not now numb of off often one online only or other our out over pack pain
  panic party peak pee period picture pills pimple pimples please plus poison poop prescription pressure
  price problem problems pump pure quick quit rash really reducer refill refills reflux regular relaxant
  relaxer relief reliever remover rhinitis runny safe scalp school seizure sensitive severe shaking sick
  side simple sinus sinuses size skin skinny sleep sleeping slow small smell smoking smooth sneezing soft
  some somebody someone something sore spasm spasms spot spots spray stiff sting stings stomach
  stomachache stop store strength strep stress strong stuff sudden sugar summer sun sunburn support sweat
  sweating swelling take taking teeth teething tension than that therapy there thin thing things thinner
  this throat thyroid time tired to tongue too tooth treat treatment trouble type ulcer under upset
  urinary use used using version very vitamin want wart warts water watery way weight wetting what
  when where which while who why will winter with without woman women womens work worst wound yeast you
  young your de del dolor dolores estomago barriga`.split(/\s+/),
)

export const isPlainWord = (word: string): boolean => plainWords.has(word)
