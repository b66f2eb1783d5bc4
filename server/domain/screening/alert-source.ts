import type { AlertSource, ScreeningList } from './alert.ts'
import type { ScreeningFacts } from './facts.ts'

/** A source with the date of its list. What a list does not say stays empty. */
export const toSource = (
  { listDates }: Pick<ScreeningFacts, 'listDates'>,
  list: ScreeningList,
  fields: Partial<Omit<AlertSource, 'list' | 'listDate'>> = {},
): AlertSource => ({
  list,
  listDate: listDates[list] ?? null,
  grade: '',
  labelOf: null,
  className: null,
  sentence: null,
  setId: null,
  labelDate: null,
  rowKey: null,
  ...fields,
})
