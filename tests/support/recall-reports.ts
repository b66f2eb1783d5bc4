/** A recall as openFDA reports it (https://open.fda.gov/apis/drug/enforcement/). */
export const recallReport = (number: string, ndc: string, fields: Record<string, unknown> = {}) => ({
  recall_number: number,
  event_id: '92690',
  product_type: 'Drugs',
  classification: 'Class II',
  status: 'Ongoing',
  recall_initiation_date: '20251201',
  report_date: '20251215',
  recalling_firm: 'Example Labs',
  reason_for_recall: 'Lack of assurance of sterility',
  product_description: `Ibuprofen tablets, 200 mg, NDC ${ndc}, Rx only`,
  code_info: 'Lot #: BAD-1, Exp 10/2027',
  distribution_pattern: 'Nationwide',
  openfda: { package_ndc: ['11111-222-33'] },
  ...fields,
})

/** A file of reports, as openFDA answers. */
export const recallJson = (...results: readonly object[]): string => JSON.stringify({ meta: {}, results })
