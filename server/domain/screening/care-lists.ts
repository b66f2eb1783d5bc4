import { dayMs } from '../days.ts'
/**
 * The open lists that orders are screened with, in the order of an import: a list comes after those
 * that it refers to, and names of substances after what is made of them. Each is the name of a file
 * of db/seed/care without its endings.
 */
export const careListNames = [
  'ingredients',
  'rxnorm-brands',
  'allergy-groups',
  'allergy-label',
  'therapeutic-equivalence',
  'ingredient-names',
  'ingredient-classes',
  'interaction-class-members',
  'interactions-label',
  'interactions-ndfrt',
  'label-safety',
  'boxed-warnings',
  'recalls',
  'recalls-2023-2025-no-lots',
  'shortages',
  'controlled-us',
  'rules-import-refill',
  'postal-regions',
] as const
export type CareListName = (typeof careListNames)[number]

/** What an import says of a list. */
export type CareList = {
  name: string
  title: string
  source: string
  license: string
  /** YYYY, YYYY-MM or YYYY-MM-DD; null when unknown. */
  listDate: string | null
  rowCount: number
  importedAt: Date
}

/** Lists that their publisher has stopped: no newer one will come, so their age is no task. */
const endedLists: ReadonlySet<string> = new Set<CareListName>(['interactions-ndfrt'])

/** How old a list is, by the first day that its date may mean; since its import without a date. */
export function ageInDays(
  { listDate, importedAt }: Pick<CareList, 'listDate' | 'importedAt'>,
  now: Date,
): number {
  const since = listDate === null ? importedAt.getTime() : Date.parse(listDate)
  return Math.max(0, Math.floor((now.getTime() - since) / dayMs))
}

/** Whether admins should look for a newer edition. */
export const isOutdated = (list: CareList, maxAgeDays: number, now: Date): boolean =>
  !endedLists.has(list.name) && ageInDays(list, now) > maxAgeDays

/** Whether the publisher has stopped the list. */
export const isEnded = (name: string): boolean => endedLists.has(name)
