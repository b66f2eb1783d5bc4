import { recallJson } from '#tests/support/recall-reports.ts'
import { tsv } from './catalog-import-support.ts'

/** A JSON file of reports. */
export const recallFile = (...results: object[]): Buffer => Buffer.from(recallJson(...results))

const columns =
  'recall_number event_id class status initiated reported terminated firm reason product package_ndcs product_ndcs lots all_lots code_info_if_no_lot_parsed distribution ingredients'.split(
    ' ',
  )

/** A file of recalls in our own columns. */
export const recallTsv = (...rows: Record<string, string>[]): Buffer => Buffer.from(tsv(columns, rows))

/** A line of such a file. */
export const recallRow = (number: string, ndc: string): Record<string, string> => ({
  recall_number: number,
  event_id: '1',
  class: 'II',
  status: 'Terminated',
  initiated: '2020-01-01',
  reported: '2020-02-01',
  firm: 'Example Labs',
  reason: 'Mislabeled',
  product: 'Ibuprofen',
  package_ndcs: ndc,
  lots: 'OLD-1',
})
