import { withinOneEdit } from '#domain/search/edit-distance.ts'
import { fold } from '#domain/text.ts'
import { isSaltWord } from '#domain/catalog/moiety.ts'
import { formatBrand } from './names.ts'

/**
 * Words of form, route, release and pharmacopoeia. A name made of these and its ingredients is not
 * a brand.
 */
const descriptive = new Set(
  `tablet tablets tab tabs capsule capsules caps caplet caplets injection injectable inj solution solutions sol oral
   suspension ophthalmic otic topical cream ointment gel lotion syrup elixir drop drops spray nasal inhalation inhaler
   inhalant aerosol patch patches transdermal system suppository suppositories powder emulsion enema kit liquid foam
   shampoo lozenge lozenges granules concentrate irrigation rinse gas medical for and with in of the to plus or usp nf bp
   extended delayed release immediate prolonged sustained controlled er sr dr xl xr la ec odt ir cr orally
   disintegrating chewable coated film filmcoated enteric effervescent sterile preservative free single multi dose use
   vial prefilled syringe pharmacy bulk package premixed container plastic mg mcg g ml l meq unit units iu w v hr hour
   hours day buccal sublingual rectal vaginal dental intravenous infusion intramuscular subcutaneous acid adult
   pediatric children childrens strength extra regular low high cold compressed refrigerated unspecified mixture blend
   hcl hci hctz base human recombinant synthetic natural compound comp formula buffered diluted anhydrous hydrous pollen
   extract allergenic standardized protein per`
    .trim()
    .split(/\s+/),
)

const foldedWords = (text: string): string[] => fold(text).split(' ').filter(Boolean)
const isDescriptive = (word: string): boolean =>
  descriptive.has(word) || isSaltWord(word) || /^\d+(?:mg|mcg|g|ml|hr|h|iu|x)?$/.test(word)

/** Descriptions such as "tablet" and "ophthalmic" that are cut from the end of a generic name. */
const trailingDescription =
  /(?<![\s,])[\s,]+(?:tablets?|capsules?|caplets?|injections?|solution|suspension|ophthalmic|otic|topical|cream|ointment|gel|lotion|syrup|elixir|drops|spray|nasal|inhalation|powder|kit|for|oral|usp|extended|delayed|release|er|sr|dr|xl|xr|chewable|liquid|hcl|in plastic container.*)$/i

/** Splits a nonproprietary name into substances: "Norgestimate and ethinyl estradiol" is two. */
export function substancesInName(name: string): string[] {
  const text = name
    .replace(/\s+/g, ' ')
    .replace(/\bestrogens, (conjugated|esterified)\b/i, '$1 estrogens')
    .trim()
    // "Esmolol hydrochloride in sodium chloride", "triamcinolone cream with emollient": the carrier
    // is not an ingredient.
    .replace(/(?<=\w{4}) (?:in|with) .*$/i, '')
    .replace(/(?<![\s,])[\s,]+[\d.]+ ?m?c?g$/i, '')
  // Separators split the list, but "d-" and "dl-" after a comma belong to the name before it.
  return text
    .split(/(?:(?<!\s)\s+)?(?:[,;/|&](?! ?d?l?-)|\s-\s|\band\b(?! [ab]\b))\s*/i)
    .map((part) => {
      let substance = part
      while (trailingDescription.test(substance)) substance = substance.replace(trailingDescription, '')
      return substance.replace(/(?<![.\s])[.\s]+$/, '')
    })
    .filter((part) => part.length > 1)
}

/**
 * Whether a word is a misspelling of another: one edit apart, and too long to be a deliberate
 * variation. Naprosyn, two edits from naproxen, is a brand.
 */
const isMisspelling = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 7 && a[0] === b[0] && withinOneEdit(a, b)

/**
 * The formatted brand name, or null when the proprietary name is only ingredients, salts and form
 * words.
 */
export function parseBrandName(proprietary: string, generics: readonly string[]): string | null {
  if (!proprietary) return null
  const ingredientWords = new Set(generics.flatMap(foldedWords))
  const remaining = foldedWords(proprietary).filter(
    (word) => !ingredientWords.has(word) && !isDescriptive(word),
  )
  // "Losortan Potassium" is a misspelling of the generic name, not a brand.
  if (remaining.every((word) => [...ingredientWords].some((generic) => isMisspelling(word, generic))))
    return null
  const folded = fold(proprietary)
  return generics.some((generic) => fold(generic) === folded) ? null : formatBrand(proprietary)
}

const legalForms = new Set(
  'inc incorporated ltd limited ltee llc llp lp corp corporation co company ulc gmbh ag sa sas srl spa nv bv plc pvt private the l p c'.split(
    ' ',
  ),
)

/**
 * The key shared by a manufacturer's spellings: "Teva Canada Ltd." and "TEVA CANADA LIMITED" are
 * one. It is the folded name without its legal form.
 */
export function toManufacturerKey(name: string): string {
  const words = foldedWords(name)
  const significant = words.filter((word) => !legalForms.has(word))
  return (significant.length > 0 ? significant : words).join(' ')
}
