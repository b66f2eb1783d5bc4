import type { Db } from '#db/engine/client.ts'
import { findClassProducts } from '#db/search/find-class-products.ts'
import { findDocuments } from '#db/search/find-documents.ts'
import { exactly, mark, type Match } from '#domain/search/match.ts'
import { findNeed, type NeedClass } from '#domain/search/needs.ts'
import { parseSearchQuery } from '#domain/search/search-query.ts'
import { filterMatch, type SearchFilter } from '#domain/search/search-tiers.ts'
import { applyReviews } from './need-reviews.ts'
import { needTable } from './need-table.ts'

export type NeedFound = {
  /** In order: with exactly this name, then of the classes, then with all words of the term. */
  productIds: string[]
  /** As the table has it: "high blood pressure" for "bp". */
  term: string
  /** The classes that have products here. */
  classes: NeedClass[]
  /** Only medicines that a label names as for children. */
  forChild: boolean
}

/** Word matches beyond this many are not added to those of the classes. */
const maxWordMatches = 1000

/**
 * Finds the medicines of the pharmacologic classes that a lay term stands for ("heartburn"). Null
 * when the query is no such term, or no product is in such a class and for the part of the body it
 * names: a shop without the lists.
 */
export async function findByNeed(
  db: Db,
  text: string,
  { filter, mistyped }: { filter: SearchFilter; mistyped: boolean },
): Promise<NeedFound | null> {
  const need = findNeed(text, needTable, { mistyped })
  if (!need) return null
  const { term, forms, routes, forChild } = need
  const classes = await applyReviews(db, term, need.classes)
  if (classes.length === 0) return null
  const members = await findClassProducts(db, classes, filter)
  if (members.length === 0) return null
  const labeled = forChild ? await findLabeledForChildren(db, filter) : null
  const reachable = members.filter(
    ({ id, route }) =>
      (!labeled || labeled.has(id)) &&
      (routes.length === 0 || route === null || route.split(' ').some((word) => routes.includes(word))),
  )
  // An eye ulcer is no stomach ulcer. A form may be mistaken.
  if (reachable.length === 0) return null
  const inForm = reachable.filter(({ dosageForms }) =>
    forms.some((form) => dosageForms.split(',').includes(form)),
  )
  const shown = inForm.length > 0 ? inForm : reachable
  const { named, worded } =
    forms.length + routes.length > 0 || forChild
      ? { named: [], worded: [] }
      : await findWithTerm(db, term, filter)
  return {
    productIds: [...new Set([...named, ...shown.map(({ id }) => id), ...worded])],
    term,
    forChild,
    classes: classes.filter((_, place) => shown.some((product) => product.classes.includes(place))),
  }
}

const childWords = ['children', 'childrens', 'kids', 'junior', 'infant', 'infants', 'pediatric', 'enfants']

/** The products that a brand or label names as for children. */
async function findLabeledForChildren(db: Db, filter: SearchFilter): Promise<ReadonlySet<string>> {
  const words = childWords.flatMap((word) => [exactly(word), exactly(mark.wholeOnly + word)])
  const found = await findDocuments(db, [[words, ...filterMatch(filter)]], {
    end: maxWordMatches,
    among: null,
    countTo: 0,
  })
  return new Set(found.productIds)
}

/**
 * Products with the term as their own name, and with all its words in a name or label. A form in it
 * ("gas") is none of its words. A brand of the term is often homeopathic, so it comes last.
 */
async function findWithTerm(
  db: Db,
  term: string,
  filter: SearchFilter,
): Promise<{ named: string[]; worded: string[] }> {
  const query = parseSearchQuery(term)
  if (!query) return { named: [], worded: [] }
  const required = filterMatch(filter)
  const find = async (...tiers: Match[]): Promise<string[]> =>
    (await findDocuments(db, tiers, { end: maxWordMatches, among: null, countTo: 0 })).productIds
  const named = [[exactly(mark.product + query.key)], ...required]
  const worded = [...query.words.map(({ text }) => [exactly(text)]), ...required]
  return { named: await find(named), worded: await find(worded) }
}
