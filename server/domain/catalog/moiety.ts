import { memoize } from '../memoize.ts'
import { spellings } from './moiety-spellings.ts'

/**
 * Maps a directory's substance to its base moiety, so that "SERTRALINE HYDROCHLORIDE" (United
 * States) and "SERTRALINE (SERTRALINE HYDROCHLORIDE)" (Canada) are one sertraline. Salts and
 * hydrates are removed. Esters and prodrugs stay: betamethasone valerate and dipropionate are two
 * products.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/**
 * Water and solvents of crystallization do not identify the product and are removed from every
 * name.
 */
const hydrates = words(`
  hydrate monohydrate dihydrate trihydrate tetrahydrate pentahydrate hexahydrate heptahydrate octahydrate
  nonahydrate decahydrate dodecahydrate hemihydrate sesquihydrate hemipentahydrate hemiheptahydrate anhydrous
  solvate ethanolate hemihydrous propanediol lauryl`)

const salts = words(`
  hydrochloride dihydrochloride trihydrochloride hcl hydrobromide dihydrobromide chloride bromide
  sodium monosodium disodium trisodium tetrasodium potassium dipotassium calcium hemicalcium magnesium
  tromethamine trometamol meglumine dimeglumine olamine diolamine diethylamine lysine arginine erbumine
  sulfate bisulfate hemisulfate sulphate phosphate diphosphate nitrate acetate diacetate maleate dimaleate
  fumarate hemifumarate tartrate bitartrate hemitartrate succinate hemisuccinate citrate malate lactate
  gluconate digluconate mesylate dimesylate mesilate besylate besilate tosylate ditosylate tosilate esylate
  edisylate camsylate isethionate napsylate xinafoate pamoate embonate hyclate oxalate polistirex tannate
  benzoate adipate hippurate saccharate aspartate isetionate lactobionate trifenatate epolamine methylsulfate mandelate strontium`)

/** Esters and prodrugs, which make a different product of the same root. */
const esters = words(`
  decanoate enanthate cypionate undecanoate palmitate valerate propionate dipropionate furoate butyrate
  probutate butepropate acetonide hexacetonide pivalate caproate ethylsuccinate estolate stearate axetil proxetil pivoxil
  medoxomil cilexetil disoproxil alafenamide mofetil etexilate marboxil dipivoxil lauroxil subsalicylate
  mononitrate dinitrate pegol benzathine procaine polistirex valproate phosphonooxymethyl`)

/**
 * First words of names that are salts themselves, where the "salt" is half of the substance (sodium
 * chloride, ferrous sulfate, lithium carbonate, methyl salicylate).
 */
const inseparable = words(`
  sodium potassium calcium magnesium zinc iron ferrous ferric lithium aluminum aluminium ammonium copper cupric
  cuprous manganese manganous chromium chromic selenium silver bismuth barium strontium gold mercury mercuric
  mercurous lead tin stannous lanthanum gallium indium thallous rubidium cobalt cobaltous nickel technetium
  phosphorus hydrogen antimony arsenic uranyl titanium zirconium iodine choline methyl ethyl phenyl benzyl
  glyceryl isopropyl amyl trolamine cellulose chondroitin dextran benzalkonium benzethonium cetylpyridinium
  domiphen oyster monosodium monopotassium disodium dipotassium vitamin amino fluoride iodide samarium hydroxyethyl lauryl
  polyvinyl phenylmercuric tetradecyl cesium cadmium platinum plumbum argentum aurum kali natrum calcarea`)

/** Steroids and a few others whose acetate is an ester with its own uses. */
const acetateIsEster =
  /(?:sone|olone|terone|drone|gestrol|pristal|bazepine|dinone|tocopherol|tocopheryl|retinol)$/

/** Parentheses that state an origin or a strain, not a salt. */
const originNote =
  /human|recombinant|strain|equine|rabbit|ovine|porcine|h\d+n\d+|synthetic|activated|\bnph\b|\bmct\b|\bbcg\b|\brh\b|\bfim\b|yamagata|victoria|dander|domesticus|wi38|flury|rsvpref|complex in|natural|type |mpa\.s|chicken|citrus|^ester$|parsley|s-protein/

/** Elements and vitamins, where the parentheses name the compound in the product. */
const carriedBy =
  /^(?:vitamin|iron|iodine|iodide|copper|chromium|selenium|molybdenum|manganese|zinc|fluoride|calcium|magnesium|potassium|sodium|lithium|bismuth|aluminum)\b/

const clean = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\*/, '')
    .replace(/\.(alpha|beta|gamma|delta|epsilon)\.-?/g, '$1-')
    .replace(/,? unspecified(?: form)?$/, '')
    .replace(/ \(sacubitril .*\)$/, '')
    .replace(
      /(?<=\w) (?:\(s\)-propylene glycol|propylene glycol(?:ate| solvate)|acetone solvate|dimethyl sulfoxide)$/,
      '',
    )
    // A biosimilar's four-letter suffix (FDA, 2017): the same product as its reference.
    .replace(/(?<=mab|cept|stim|alfa|ase)-[a-z]{4}$/, '')
    .replace(/ \(human\)$/, ' human')
    .replace(/ hemi-pentahydrate$/, '')
    .replace(/ s-malate$/, ' malate')
    .replace(/^l-(?=[a-z]{5})/, '')
    .replace(/\s+/g, ' ')
    .trim()

const isSalt = (word: string, of: string): boolean =>
  salts.has(word) &&
  !(word.endsWith('acetate') && acetateIsEster.test(of)) &&
  !(word === 'benzoate' && of === 'estradiol')

/** Removes trailing salt and hydrate words, as long as the rest is a moiety of its own. */
function withoutSalt(name: string): string {
  let rest = name
  const separable = !inseparable.has(name.split(/[ ,]/)[0] ?? '')
  for (;;) {
    const [, before = '', word = ''] = /^(.+?),? ([a-z]+)$/.exec(rest) ?? []
    if (before.length < 4) return rest
    if (hydrates.has(word) || (separable && isSalt(word, before))) rest = before
    else return rest
  }
}

function baseOf(substance: string): string {
  const name = clean(substance)
  const [bracketed, outer = '', inside = ''] = /^(.+?) ?\((.+)\)$/.exec(name) ?? []
  if (!bracketed || originNote.test(inside)) return withoutSalt(name)
  const inner = clean(inside.split(', ')[0] ?? inside)
  if (carriedBy.test(outer)) return withoutSalt(inner)
  if (inner.startsWith(outer)) {
    const rest = inner.slice(outer.length).trim().split(' ')
    const isEster =
      rest.some((word) => esters.has(word)) || (rest.includes('acetate') && acetateIsEster.test(outer))
    return withoutSalt(isEster ? inner : outer)
  }
  const lastWord = inner.split(' ').at(-1) ?? ''
  const namesSubstance =
    inner.slice(0, 5) === outer.slice(0, 5) ||
    salts.has(lastWord) ||
    hydrates.has(lastWord) ||
    inseparable.has(inner.split(' ')[0] ?? '')
  return withoutSalt(namesSubstance ? inner : name)
}

/** The base moiety of a substance, in lower case: "CODEINE PHOSPHATE HEMIHYDRATE" → "codeine". */
export const toMoiety = memoize(
  (substance: string): string => {
    const base = baseOf(substance)
    return spellings[base] ?? base
  },
  (substance) => substance,
)

/** Words that name a salt or water and do not distinguish products. */
export const isSaltWord = (word: string): boolean => salts.has(word) || hydrates.has(word)
