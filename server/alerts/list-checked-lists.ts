import { listCareLists } from '#db/screening/care-lists.ts'
import { listDateText } from '#domain/alerts/alert-text.ts'
import type { CareListDate } from '#domain/alerts/case-alert.ts'
import type { ScreeningList } from '#domain/screening/alert.ts'
import type { Context } from '../context.ts'

/** A current list, as pages name it. */
export type CheckedList = {
  name: string
  title: string
  source: string
  /** "Jul 16, 2026", "2014"; null when unknown. */
  date: string | null
  rowCount: number
}

/** The current lists among these names, in their order. Public. */
export async function listCheckedLists(
  { db }: Pick<Context, 'db'>,
  names: readonly string[],
): Promise<CheckedList[]> {
  const lists = new Map((await listCareLists(db)).map((list) => [list.name, list]))
  return names.flatMap((name) => {
    const list = lists.get(name)
    if (!list) return []
    const { title, source, listDate, rowCount } = list
    return [{ name, title, source, date: listDate && listDateText(listDate), rowCount }]
  })
}

/** The lists that orders are compared with, beside a result without an entry. Public. */
export const listInForce = async (ctx: Pick<Context, 'db'>): Promise<CareListDate[]> =>
  (await listCheckedLists(ctx, comparedLists)).map(({ title, date }) => ({ title, date }))

const comparedLists: readonly ScreeningList[] = [
  'interactions-label',
  'interactions-ndfrt',
  'ingredient-classes',
  'allergy-groups',
  'allergy-label',
  'label-safety',
  'boxed-warnings',
]
