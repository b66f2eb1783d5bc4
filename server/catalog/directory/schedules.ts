import type { DosageForm } from '#domain/catalog/catalog.ts'
import { toShownMoiety } from '#domain/screening/product-ingredients.ts'

type Schedule = 'II' | 'III' | 'IV' | 'V' | 'listed chemical'

const withSchedule = (schedule: Schedule, names: string): [string, Schedule][] =>
  names.split(',').map((name) => [name.trim().replace(/\s+/g, ' '), schedule])

/**
 * US schedules by base moiety, for the substances in the directories (21 CFR 1308.12 to 1308.15).
 * The American directory has no column for them. Gabapentin is not scheduled federally.
 */
const scheduleByMoiety: ReadonlyMap<string, Schedule> = new Map([
  ...withSchedule(
    'II',
    `alfentanil, amobarbital, amphetamine, mixed salts amphetamine, cocaine, codeine, dexmethylphenidate,
     dextroamphetamine, diamorphine, dihydrocodeine, difenoxin, fentanyl, hydrocodone, hydromorphone, levorphanol, lisdexamfetamine,
     meperidine, methadone, methamphetamine, methylphenidate, morphine, nabilone, oliceridine, opium, oxycodone,
     oxymorphone, pentobarbital, remifentanil, secobarbital, serdexmethylphenidate, sufentanil, tapentadol, diphenoxylate`,
  ),
  ...withSchedule(
    'III',
    `benzphetamine, buprenorphine, butabarbital, butalbital, dronabinol, fluoxymesterone, ketamine, esketamine,
     methyltestosterone, nandrolone, nandrolone decanoate, oxandrolone, oxymetholone, perampanel, phendimetrazine,
     stanozolol, testosterone, testosterone cypionate, testosterone enanthate, testosterone undecanoate, thiopental,
     sodium oxybate, calcium oxybate, magnesium oxybate, potassium oxybate`,
  ),
  ...withSchedule(
    'IV',
    `alprazolam, armodafinil, bromazepam, butorphanol, carisoprodol, chlordiazepoxide, clobazam, clonazepam,
     clorazepate, daridorexant, diazepam, diethylpropion, eluxadoline, estazolam, eszopiclone, flurazepam, fospropofol,
     lemborexant, lorazepam, lorcaserin, mephobarbital, meprobamate, methohexital, midazolam, modafinil, nitrazepam,
     oxazepam, pentazocine, phenobarbital, phentermine, quazepam, remimazolam, solriamfetol,
     suvorexant, temazepam, tramadol, alfaxalone, brexanolone, mazindol, paraldehyde, sibutramine, triazolam, zaleplon, zolpidem, zopiclone, zuranolone, chloral, chloral hydrate`,
  ),
  ...withSchedule('V', `brivaracetam, cenobamate, ezogabine, lacosamide, lasmiditan, pregabalin, ganaxolone`),
  // Not controlled, but their sale by mail needs a registration, the buyer's identity and daily and
  // monthly limits (21 CFR 1314, subpart C). The shop does not sell them.
  ...withSchedule('listed chemical', `pseudoephedrine, ephedrine, phenylpropanolamine`),
])

/**
 * A scheduled opioid combined with another ingredient in a limited amount has a lower schedule (21
 * CFR 1308.13(e), 1308.15(c)).
 */
function combinationSchedule(moiety: string, form: DosageForm | null): Schedule | undefined {
  const isOralLiquid = form === 'liquid' || form === 'syrup'
  if (moiety === 'codeine' || moiety === 'dihydrocodeine') return isOralLiquid ? 'V' : 'III'
  if (moiety === 'diphenoxylate') return 'V'
  if (moiety === 'difenoxin') return 'IV'
  return undefined
}

const order: readonly Schedule[] = ['II', 'III', 'IV', 'V', 'listed chemical']

/** The schedule of products with pseudoephedrine, ephedrine or phenylpropanolamine. */
export const listedChemical = 'CSA scheduled listed chemical'

/** "CSA schedule II": the strictest US schedule among the ingredients, or null. */
export function americanSchedule(moieties: readonly string[], form: DosageForm | null): string | null {
  const found = new Set(
    moieties.map(
      (moiety) => (moieties.length > 1 && combinationSchedule(moiety, form)) || scheduleByMoiety.get(moiety),
    ),
  )
  return findStrictest(found)
}

function findStrictest(found: ReadonlySet<Schedule | undefined>): string | null {
  const strictest = order.find((schedule) => found.has(schedule))
  if (strictest === 'listed chemical') return listedChemical
  return strictest ? `CSA schedule ${strictest}` : null
}

/** The Canadian schedule in readable case: "NARCOTICS (CDSA I)" → "Narcotics (CDSA I)". */
export function canadianSchedule(controlled: string): string | null {
  if (!controlled) return null
  return controlled
    .split('; ')
    .map(
      (words) =>
        words.charAt(0) +
        words
          .slice(1)
          .toLowerCase()
          .replace(/\(cdsa ([iv]+)\)/, (_, part: string) => `(CDSA ${part.toUpperCase()})`),
    )
    .join('; ')
}

const maxMoietyWords = 3

/**
 * The schedule of a product that an admin created. Null when none is scheduled.
 * @param name scheduled ingredients in it count
 * @param ingredients those that the lists know the product by: a brand does not name them
 */
export function scheduleOfName(name: string, ingredients: readonly string[] = []): string | null {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}-]+/u)
  const runs = words.flatMap((_, start) =>
    Array.from({ length: maxMoietyWords }, (_, more) => words.slice(start, start + more + 1).join(' ')),
  )
  const moieties = ingredients.map(toShownMoiety)
  return findStrictest(new Set([...runs, ...moieties].map((moiety) => scheduleByMoiety.get(moiety))))
}
