import { findBrandIngredients } from '#db/search/find-brand-ingredients.ts'
import { findDocumentIds } from '#db/search/find-documents.ts'
import { findDistantSpellings, findSpellings } from '#db/search/find-spellings.ts'
import type { Db } from '#db/engine/client.ts'
import { commonBrands, findGeneric } from '#domain/catalog/common-brands.ts'
import { findSynonyms } from '#domain/catalog/synonyms.ts'
import { withinOneEdit } from '#domain/search/edit-distance.ts'
import { isPlainWord } from '#domain/search/lay-words.ts'
import { exactly, mark, startingWith } from '#domain/search/match.ts'
import { parseSearchQuery, type QueryWord, type SearchQuery } from '#domain/search/search-query.ts'

/** Shorter words are within one edit of too many others. */
const shortestRepaired = 4
const canBeMisspelled = new RegExp(`^\\p{L}{${shortestRepaired},}$`, 'u')
/** Shorter words, like the "d" of "d'estomac", name no medicine by themselves. */
const shortestName = 3
/** Bounds of the repairs tried when nothing is found. */
const maxSpellings = 4
const maxRepairs = 6
/** Two edits are looked for in the first unknown words only. */
const maxDistantRepairs = 2
/** A rare word is a misspelling if another spelling is this many times as common. */
const commonSpellingFactor = 20

/** A word as a user would type it. */
export const formatWord = ({ text, kind }: Pick<QueryWord, 'text' | 'kind'>): string =>
  kind === 'strength' ? text.replace(/pct$/, '%') : text

/** Shorter brands are one letter away from too many words. */
const shortestBrand = 6

/** "zyrtek": the ingredient of a brand that is one edit away, when no word of ours is. */
function findMistypedBrand(text: string, others: readonly string[]): string | undefined {
  if (others.length > 0 || text.length < shortestBrand) return undefined
  return [...commonBrands].find(([brand]) => brand.length >= shortestBrand && withinOneEdit(brand, text))?.[1]
}

/** The query with each rare word in its far more common spelling. Null when there is none. */
export async function correctRareWords(db: Db, { words }: SearchQuery): Promise<string | null> {
  const texts = await Promise.all(
    words.map(async ({ text, kind }) => {
      if (kind !== 'word' || !canBeMisspelled.test(text)) return formatWord({ text, kind })
      const found = await findSpellings(db, text)
      const ownProducts = found.find(({ word }) => word === text)?.products ?? 0
      const [best] = found.toSorted((a, b) => b.products - a.products)
      return ownProducts > 0 && best && best.products >= ownProducts * commonSpellingFactor ? best.word : text
    }),
  )
  return words.some((word, i) => word.kind === 'word' && word.text !== texts[i]) ? texts.join(' ') : null
}

/** Whether a word of a query names something, rather than a strength or form only. */
const namesMedicine = (text: string): boolean =>
  parseSearchQuery(text)?.words.some(
    (word) => word.kind === 'word' && word.text.length >= shortestName && !isPlainWord(word.text),
  ) ?? false

/**
 * The repaired texts that name a medicine: with the name of a product, a brand or an ingredient, or
 * the beginning of one. Among several words, a repair to any other word is mostly wrong: "dolor" is
 * no "color".
 */
export async function filterNamedTexts(db: Db, texts: readonly string[]): Promise<string[]> {
  const matches = texts.map((text) => {
    const query = parseSearchQuery(text)
    const words = query?.words.filter(
      ({ text: word, kind }) => kind === 'word' && word.length >= shortestName && !isPlainWord(word),
    )
    const terms = (words ?? []).flatMap(({ text: word }) => [
      exactly(mark.product + word),
      exactly(mark.brand + word),
      exactly(mark.ingredient + word),
      startingWith(`${mark.product}${word}_`),
    ])
    return [query?.name ? [...terms, startingWith(mark.brand + query.name)] : terms]
  })
  const found = await findDocumentIds(db, matches, 1)
  return texts.filter((_, i) => (found[i]?.length ?? 0) > 0)
}

type Repairs = {
  /** Corrected queries, the likeliest first. */
  texts: string[]
  /** Whether a word was replaced, and not only left out. */
  isRepaired: boolean
  /** Words that resemble no known word, left out of the texts. */
  unknown: QueryWord[]
}

/** Whether a word may be a misspelled name, or a brand that is not sold here. */
const mayBeName = ({ text, kind }: QueryWord): boolean =>
  kind === 'word' && canBeMisspelled.test(text) && !isPlainWord(text)

type Spellings = { isKnown: boolean; others: string[] }

async function listSpellings(db: Db, word: QueryWord): Promise<Spellings> {
  if (!mayBeName(word)) return { isKnown: true, others: [] }
  const { text } = word
  // "Ph" for "f" is two edits but one mistake.
  const spelledLike = [...new Set([text, text.replaceAll('ph', 'f'), text.replace('f', 'ph')])]
  const near = (await Promise.all(spelledLike.map((spelled) => findSpellings(db, spelled))))
    .flat()
    .map((spelling) => spelling.word)
  const others = [...findSynonyms(text), ...near.filter((known) => known !== text)]
  return { isKnown: near.includes(text), others: others.slice(0, maxSpellings) }
}

export async function listRepairs(db: Db, { words }: SearchQuery): Promise<Repairs> {
  const names = words.filter(mayBeName).map(({ text }) => text)
  // At the same time, because Postgres then answers all of them in one round trip.
  const [ingredients, spellings] = await Promise.all([
    names.length > 0 ? findBrandIngredients(db, names) : new Map<string, string>(),
    Promise.all(words.map((word) => listSpellings(db, word))),
  ])
  // A brand that is not sold here stands for its ingredient.
  for (const [i, { isKnown, others }] of spellings.entries()) {
    const text = words[i]?.text ?? ''
    const generic = isKnown
      ? undefined
      : (findGeneric(text) ?? ingredients.get(text) ?? findMistypedBrand(text, others))
    if (generic !== undefined) others.splice(0, others.length, generic)
  }
  const unlike = spellings.flatMap(({ isKnown, others }, i) => (!isKnown && others.length === 0 ? [i] : []))
  await Promise.all(
    unlike.slice(0, maxDistantRepairs).map(async (i) => {
      const found = await findDistantSpellings(db, words[i]?.text ?? '')
      spellings[i]?.others.push(...found.slice(0, maxSpellings).map(({ word }) => word))
    }),
  )
  const unknown = words.filter((_, i) => !spellings[i]?.isKnown && spellings[i]?.others.length === 0)
  const misspelled = spellings.flatMap(({ isKnown, others }, i) => (!isKnown && others.length > 0 ? [i] : []))
  const rewrite = (replaced: ReadonlyMap<number, string>): string =>
    words
      .flatMap((word, i) => (unknown.includes(word) ? [] : [replaced.get(i) ?? formatWord(word)]))
      .join(' ')
  const isRepaired = misspelled.length > 0
  if (!isRepaired && unknown.length === 0) {
    // Every word is known, but no product has them all: one of them may be a misspelling. A whole
    // name is none.
    const named = await findDocumentIds(
      db,
      words.map(({ text }) => [[exactly(mark.product + text), exactly(mark.brand + text)]]),
      1,
    )
    const texts = spellings
      .flatMap(({ others }, i) =>
        (named[i]?.length ? [] : others).map((other) => rewrite(new Map([[i, other]]))),
      )
      .slice(0, maxRepairs)
    return { texts, isRepaired: false, unknown: [] }
  }
  let choices: Map<number, string>[] = [new Map()]
  for (const i of misspelled) {
    // Cut for each word: twelve words with four spellings each have 16 million combinations.
    choices = (spellings[i]?.others ?? [])
      .flatMap((other) => choices.map((choice) => new Map(choice).set(i, other)))
      .slice(0, maxRepairs)
  }
  const texts = choices.map(rewrite)
  return { texts: texts.filter(namesMedicine), isRepaired, unknown }
}
