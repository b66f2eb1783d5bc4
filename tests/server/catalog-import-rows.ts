import { directoryColumns } from '#server/catalog/directory/columns.ts'
import { temporaryFile, tsv } from './catalog-import-support.ts'

/** Rows and files of directories. A test changes the values that it is about. */

export type Row = Record<string, string>

export const ndcRow = (change: Row = {}): Row => ({
  product_ndc: '0049-4900',
  package_ndc: '0049-4900-30',
  product_type: 'Rx',
  proprietary_name: 'Zoloft',
  nonproprietary_name: 'sertraline hydrochloride',
  labeler: 'Roerig',
  dosage_form: 'TABLET, FILM COATED',
  route: 'ORAL',
  substances: 'SERTRALINE HYDROCHLORIDE',
  strength: '50',
  strength_unit: 'mg/1',
  strength_display: '50 mg',
  package_size: '30',
  package_unit: 'TABLET, FILM COATED',
  package_description: '30 TABLET, FILM COATED in 1 BOTTLE (0049-4900-30)',
  ...change,
})
export const genericRow = (change: Row = {}): Row =>
  ndcRow({
    product_ndc: '68180-352',
    package_ndc: '68180-352-06',
    proprietary_name: 'Sertraline Hydrochloride',
    labeler: 'Lupin',
    ...change,
  })
export const dpdRow = (change: Row = {}): Row => ({
  din: '02240485',
  product_type: 'Rx',
  brand_name: 'SERTRALINE',
  company: 'Apotex Inc',
  ingredients: 'SERTRALINE (SERTRALINE HYDROCHLORIDE)',
  ingredients_fr: 'Sertraline (Chlorhydrate de sertraline)',
  strength_display: '50 MG',
  dosage_form: 'TABLET',
  route: 'ORAL',
  package_information: '100/250',
  ...change,
})
export const upcRow = (change: Row = {}): Row => ({
  upc: '300494900306',
  package_ndc: '0049-4900-30',
  product_type: 'Rx',
  brand_name: 'Zoloft',
  generic_name: 'SERTRALINE HYDROCHLORIDE',
  manufacturer: 'Roerig',
  route: 'ORAL',
  product_ndcs: '0049-4900',
  ...change,
})
export const ndcFile = (...rows: Row[]) => ({
  kind: 'ndc' as const,
  path: temporaryFile('ndc.tsv', tsv(directoryColumns.ndc, rows)),
})
export const dpdFile = (...rows: Row[]) => ({
  kind: 'dpd' as const,
  path: temporaryFile('dpd.tsv', tsv(directoryColumns.dpd, rows)),
})
export const upcFile = (...rows: Row[]) => ({
  kind: 'upc' as const,
  path: temporaryFile('upc.tsv', tsv(directoryColumns.upc, rows)),
})
export const nadacFile = (...rows: Row[]) => ({
  kind: 'nadac' as const,
  path: temporaryFile('nadac.tsv', tsv(directoryColumns.nadac, rows)),
})
