import { createWriteStream, mkdirSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { seededRandom } from '#domain/seeded-random.ts'
import { directoryColumns, medicineName } from './generate-directory.ts'

const salts = ['hydrochloride', 'sodium', 'maleate', '', '']
const forms = ['TABLET', 'CAPSULE', 'SOLUTION', 'CREAM', 'INJECTION, SOLUTION'] as const
const routes = ['ORAL', 'ORAL', 'ORAL', 'TOPICAL', 'INTRAVENOUS'] as const
const places = 'North South East West Lake River Harbor Valley Summit Prairie Coast Forest'.split(' ')
const trees = 'Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Juniper Larch Maple Oak'.split(' ')
const businesses = ['Laboratories', 'Pharma', 'Health', 'Generics', 'Therapeutics']
const sizes = [30, 60, 90, 100, 500, 1000]
const fineness = 1_000_000

/**
 * How a catalog grows: the words of names like the square root of the variants (Heaps' law), the
 * medicines more slowly than their packages. 100,000 variants are 28,600 medicines of 12,000 names.
 */
export const countMedicines = (variants: number): number => Math.round(1.608 * variants ** 0.85)
const countNames = (variants: number): number => Math.min(50_000, Math.round(21.3 * variants ** 0.55))
const countLabelers = (variants: number): number => Math.round(4 * Math.sqrt(variants))

const at = <T>(list: readonly T[], i: number): T => {
  const item = list[i % list.length]
  if (item === undefined) throw new Error('The list is empty.')
  return item
}

type Medicine = { names: string[]; kind: number; isOtc: boolean }

/**
 * Writes a directory in the form of the NDC's with as many packages, and a list that prices tablets
 * and capsules. The same number always gives the same files. A few medicines have most packages.
 * Once the names are used up, a medicine has two ingredients. Returns the folder.
 */
export async function generateLargeDirectory(folder: string, variants: number): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const random = seededRandom('meridian-scale')
  const medicines = planMedicines(variants, (below) => random.below(below))
  const packs = new Int32Array(medicines.length).fill(1)
  for (let left = variants - medicines.length; left > 0; left--) {
    const place = Math.floor(medicines.length * (random.below(fineness) / fineness) ** 2)
    packs[place] = (packs[place] ?? 0) + 1
  }
  const labelers = countLabelers(variants)
  const catalog = createWriteStream(join(folder, 'ndc-catalog-generated.tsv'))
  const prices = createWriteStream(join(folder, 'nadac-generated.tsv'))
  catalog.write(`${directoryColumns.join('\t')}\n`)
  prices.write('drug_term\trxcui\tnadac_per_unit_usd\tpricing_unit\tnadac_file_date\tmatch_confidence\n')
  let variant = 0
  for (const [i, medicine] of medicines.entries()) {
    const priced = new Set<number>()
    const lines: string[] = []
    for (let pack = 0; pack < (packs[i] ?? 1); pack++) {
      const strength = 5 * (1 + ((i + (pack >> 1)) % 40))
      lines.push(
        lineOf(medicine, { i, pack, strength, labeler: variant % labelers, code: variant / labelers }),
      )
      if (medicine.kind < 2 && !priced.has(strength)) {
        priced.add(strength)
        const form = medicine.kind === 0 ? 'Tablet' : 'Capsule'
        const cost = `0.${100 + ((i * 7 + strength) % 900)}`
        prices.write(
          `${medicine.names.join('-')} ${strength}mg ${form}\t${i + 1}\t${cost}\tEA\t2026-07-15\texact\n`,
        )
      }
      variant++
    }
    if (!catalog.write(`${lines.join('\n')}\n`)) await once(catalog, 'drain')
  }
  await Promise.all([catalog, prices].map((stream) => once(stream.end(), 'finish')))
  return folder
}

function planMedicines(variants: number, below: (limit: number) => number): Medicine[] {
  const names = countNames(variants)
  const seen = new Set<string>()
  const medicines: Medicine[] = []
  while (medicines.length < countMedicines(variants)) {
    const i = medicines.length
    const kind = i % forms.length
    const isOtc = i % 4 === 0
    const first = i < names ? i : Math.floor(names * (below(fineness) / fineness) ** 3)
    const parts = i < names ? [first] : [first, below(names)]
    const key = `${isOtc} ${at(routes, kind)} ${parts.toSorted((a, b) => a - b).join('+')}`
    if (seen.has(key) || parts[1] === first) continue
    seen.add(key)
    medicines.push({ names: parts.map(medicineName), kind, isOtc })
  }
  return medicines
}

type Package = { i: number; pack: number; strength: number; labeler: number; code: number }

function lineOf({ names, kind, isOtc }: Medicine, { i, pack, strength, labeler, code }: Package): string {
  const [labelerCode, productCode] = [String(10_000 + labeler), String(1000 + Math.floor(code))]
  const productNdc = `${labelerCode}-${productCode}`
  const packageCode = String(10 + (pack % 90))
  const ndc = `${productNdc}-${packageCode}`
  const salted = names.map((name, place) => `${name} ${at(salts, i + place)}`.trim())
  const generic = salted.join(' and ')
  const strengths = names.map(() => strength)
  const size = at(sizes, i + pack)
  const form = at(forms, kind)
  const ndc11 = `${labelerCode}${productCode}${packageCode}`
  const cells: Record<string, string> = {
    product_ndc: productNdc,
    package_ndc: ndc,
    ndc10: ndc.replaceAll('-', ''),
    ndc11,
    ndc_format: '5-4-2',
    ndc12_from_2033: `0${ndc11}`,
    product_type: isOtc ? 'OTC' : 'Rx',
    proprietary_name: pack % 6 === 5 ? `${(names[0] ?? '').slice(0, 6).toUpperCase()}EX` : generic,
    nonproprietary_name: generic,
    labeler: `${at(places, labeler)} ${at(trees, Math.floor(labeler / 12))} ${at(businesses, Math.floor(labeler / 144))}`,
    dosage_form: form,
    route: at(routes, kind),
    substances: salted.join('; ').toUpperCase(),
    strength: strengths.join('; '),
    strength_unit: strengths.map(() => 'mg/1').join('; '),
    strength_display: strengths.map((one) => `${one} mg`).join(' / '),
    package_size: String(size),
    package_unit: form,
    package_container: 'BOTTLE',
    package_description: `${size} ${form} in 1 BOTTLE (${ndc})`,
    application_number: `ANDA${String(100_000 + (i % 900_000))}`,
  }
  return directoryColumns.map((column) => cells[column] ?? '').join('\t')
}
