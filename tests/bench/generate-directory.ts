import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const packsPerProduct = 3

/** The columns of a line of the NDC directory. */
export const directoryColumns =
  'product_ndc package_ndc ndc10 ndc11 ndc11_collides ndc_format ndc12_from_2033 product_type proprietary_name nonproprietary_name labeler dosage_form route substances strength strength_unit strength_display package_size package_unit package_container package_description application_number pharm_classes'.split(
    ' ',
  )
const first = 'bel cal dor fen gal hep lam mor nal pir ros sul tam ver zol'.split(' ')
const middle = 'a e i o u an en in on ul ar er ir or al'.split(' ')
const third = 'bo ce di fu ga lo me no pra ri se ta vu xi zo'.split(' ')
const last = 'cin dine fen lol mab nib pam pril sartan statin tide vir zine zole zone'.split(' ')
const salts = ['hydrochloride', 'sodium', 'maleate', '', '']
const forms = ['TABLET', 'CAPSULE', 'SOLUTION', 'CREAM', 'INJECTION, SOLUTION']
const routes = ['ORAL', 'ORAL', 'ORAL', 'TOPICAL', 'INTRAVENOUS']
const labelers = 'Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Juniper Larch Maple Oak'.split(' ')

const pick = <T>(list: readonly T[], i: number): T => {
  const item = list[i % list.length]
  if (item === undefined) throw new Error('The list is empty.')
  return item
}

/** A different name for each number below 50,625. */
export const medicineName = (i: number): string =>
  pick(first, i) +
  pick(middle, Math.floor(i / 15)) +
  pick(third, Math.floor(i / 225)) +
  pick(last, Math.floor(i / 3375) + i)

/**
 * Writes a directory in the form of the NDC's with as many medicines, each in three packages of one
 * strength, and a list that prices them. Returns the folder.
 */
export function generateDirectory(folder: string, products: number): string {
  mkdirSync(folder, { recursive: true })
  const lines = [directoryColumns.join('\t')]
  const prices = ['drug_term\trxcui\tnadac_per_unit_usd\tpricing_unit\tnadac_file_date\tmatch_confidence']
  for (let i = 0; i < products; i++) {
    const kind = i % forms.length
    const name = medicineName(i)
    const generic = `${name} ${pick(salts, i)}`.trim()
    const strength = String(5 * (1 + (i % 40)))
    const form = pick(forms, kind)
    const labeler = String(10_000 + Math.floor(i / 9000))
    const product = String(1000 + (i % 9000)).padStart(4, '0')
    for (let pack = 0; pack < packsPerProduct; pack++) {
      const size = String([30, 90, 500][pack])
      const ndc = `${labeler}-${product}-${10 + pack}`
      const ndc10 = ndc.replaceAll('-', '')
      const ndc11 = `${labeler}${product}${10 + pack}`
      const cells: Record<string, string> = {
        product_ndc: `${labeler}-${product}`,
        package_ndc: ndc,
        ndc10,
        ndc11,
        ndc_format: '5-4-2',
        ndc12_from_2033: `0${ndc11}`,
        product_type: i % 4 === 0 ? 'OTC' : 'Rx',
        proprietary_name: i % 3 === 0 ? `${name.slice(0, 5).toUpperCase()}EX` : generic,
        nonproprietary_name: generic,
        labeler: `${pick(labelers, i)} Laboratories`,
        dosage_form: form,
        route: pick(routes, kind),
        substances: generic.toUpperCase(),
        strength,
        strength_unit: 'mg/1',
        strength_display: `${strength} mg`,
        package_size: size,
        package_unit: form,
        package_container: 'BOTTLE',
        package_description: `${size} ${form} in 1 BOTTLE (${ndc})`,
        application_number: `ANDA${String(100_000 + i)}`,
      }
      lines.push(directoryColumns.map((column) => cells[column] ?? '').join('\t'))
    }
    if (kind < 2) {
      const words = kind === 0 ? 'Tablet' : 'Capsule'
      prices.push(`${generic} ${strength}mg ${words}\t${i + 1}\t0.${100 + (i % 900)}\tEA\t2026-07-15\texact`)
    }
  }
  writeFileSync(join(folder, 'ndc-catalog-generated.tsv'), `${lines.join('\n')}\n`)
  writeFileSync(join(folder, 'nadac-generated.tsv'), `${prices.join('\n')}\n`)
  return folder
}
