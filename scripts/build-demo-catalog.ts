import type { DemoCatalog, DemoProduct, DemoVariant } from '#db/seed/demo.ts'
import type { DosageForm } from '#domain/catalog/catalog.ts'
import { hasValidCheckDigit } from '#domain/catalog/identifiers.ts'
import {
  findColumns,
  parseLine,
  RowRejectedError,
  type DirectoryKind,
  type DirectoryRow,
} from '#server/catalog/directory/columns.ts'
import { describeDirectoryProduct, joinSchedules } from '#server/catalog/directory/describe.ts'
import type { DirectoryVariant } from '#server/catalog/directory/directory-variant.ts'
import { fromDpdRow } from '#server/catalog/directory/dpd.ts'
import { linkToGenerics } from '#server/catalog/directory/link-generics.ts'
import { fromNadacRow, priceFromCost, findPrice, type PriceTerm } from '#server/catalog/directory/nadac.ts'
import { fromNdcRow } from '#server/catalog/directory/ndc.ts'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

/**
 * Generates db/seed/demo-catalog.json from the real directories:
 *
 * npx tsx scripts/build-demo-catalog.ts --ndc FILE --dpd FILE --upc FILE --nadac FILE
 *
 * The same files give the same catalog. Stock, units sold and the prices that NADAC does not know
 * are made up from a digest of the product's key, so that they are stable.
 */

const productCounts = { Rx: 318, OTC: 100 }
const perForm = { Rx: 14, OTC: 8 }
const controlledCount = 8
const variantsPerProduct = 12
/** The three most used products are large, so that filters have something to filter. */
const largeProducts = 3
const variantsPerLargeProduct = 60
const maxNameLength = 48

const { values: files } = parseArgs({
  options: {
    ndc: { type: 'string' },
    dpd: { type: 'string' },
    upc: { type: 'string' },
    nadac: { type: 'string' },
  },
})

/** The rows of a whole file. Rows that the importer would reject are skipped. */
function* readRows<Kind extends DirectoryKind>(
  kind: Kind,
  file: string | undefined,
): Generator<DirectoryRow<Kind>> {
  if (!file) throw new Error(`--${kind} FILE is missing`)
  const bytes = readFileSync(file)
  const [header = '', ...lines] = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .split('\n')
  const columns = findColumns(kind, header)
  for (const line of lines) if (line) yield parseLine<Kind>(columns, line)
}

function readVariants(): DirectoryVariant[] {
  const variants: DirectoryVariant[] = []
  const take = <Row>(rows: Iterable<Row>, read: (row: Row) => DirectoryVariant) => {
    for (const row of rows) {
      try {
        variants.push(read(row))
      } catch (error) {
        if (!(error instanceof RowRejectedError)) throw error
      }
    }
  }
  take(readRows('ndc', files.ndc), fromNdcRow)
  take(readRows('dpd', files.dpd), fromDpdRow)
  return variants
}

/** A number from 0 to 1 that depends only on the key. */
function share(key: string, purpose: string): number {
  return createHash('sha256').update(`${purpose}\n${key}`).digest().readUInt32BE(0) / 2 ** 32
}

/** A UUIDv7 of a fixed day, so that the demo's links survive a reset. */
function demoId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return `01980000-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`
}

const pharmacies = {
  us: {
    id: demoId('pharmacy:us'),
    name: 'Cascade Mail Pharmacy',
    country: 'United States',
    licenseNumber: 'DEMO-US-0147',
    licenseExpiry: '2028-06-30',
    shipsTo: ['United States', 'Canada', 'Mexico'],
    address: '1250 Cascade Avenue, Suite 4\nPortland, OR 97201\nUnited States',
    phone: '+1 503 555 0147',
  },
  canada: {
    id: demoId('pharmacy:canada'),
    name: 'Harbour Street Pharmacy',
    country: 'Canada',
    licenseNumber: 'DEMO-CA-2093',
    licenseExpiry: '2028-03-31',
    shipsTo: ['Canada', 'United States', 'United Kingdom', 'Australia'],
    address: '88 Harbour Street\nVictoria, BC V8W 0A8\nCanada',
    phone: '+1 250 555 0188',
  },
} satisfies Record<string, DemoCatalog['pharmacies'][number]>

/** A product of the directories with its rows. */
type Candidate = {
  product: DirectoryVariant['product']
  variants: DirectoryVariant[]
  controlled: string | null
  forms: Set<DosageForm>
}

function group(variants: readonly DirectoryVariant[]): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const variant of variants) {
    const { product } = variant
    const existing = candidates.get(product.catalogKey)
    const candidate = existing ?? { product, variants: [], controlled: null, forms: new Set<DosageForm>() }
    candidate.variants.push(variant)
    candidate.controlled = joinSchedules([candidate.controlled, variant.controlledSchedule])
    if (variant.dosageForm) candidate.forms.add(variant.dosageForm)
    if (!existing) candidates.set(product.catalogKey, candidate)
  }
  return [...candidates.values()]
}

/**
 * Products not used at home: hospital gases, allergen extracts, contrast media, infusion fluids.
 */
const notForHome =
  /oxygen|nitrogen|carbon dioxide|nitrous|helium|\bair\b|technetium|fludeoxy|F-18|gado|ioversol|iohexol|iopamidol|iodixanol|water|lactated|dextrose|electrolyte/i
/** Allergen extracts are measured in protein nitrogen units or weight per volume. */
const isAllergen = (variant: DirectoryVariant): boolean =>
  /PNU|BAU|\bAU\b|allergenic/i.test(`${variant.strengthUnit} ${variant.product.drugClass ?? ''}`) ||
  (variant.dosageForm === 'injection' && variant.strengthUnit.startsWith('g/'))

/** The published UPC of each package, where the label prints one. */
const upcOfPackage = new Map(
  [...readRows('upc', files.upc)].flatMap((row) => {
    const upc = row.upc.slice(-12)
    return row.package_ndc && hasValidCheckDigit(upc) ? [[row.package_ndc, upc] as const] : []
  }),
)

/** The UPC of a directory row, or null. */
const upcOf = (variant: DirectoryVariant): string | null => upcOfPackage.get(variant.ndc ?? '') ?? null

/**
 * The products with the most packages are the most used. Every dosage form gets its share of each
 * category.
 */
function choose(candidates: readonly Candidate[]): Candidate[] {
  const byUse = candidates
    .filter(
      ({ product, variants }) =>
        product.name.length <= maxNameLength && !notForHome.test(product.name) && !variants.some(isAllergen),
    )
    .sort(
      (a, b) =>
        b.variants.length - a.variants.length || (a.product.catalogKey < b.product.catalogKey ? -1 : 1),
    )
  const chosen = new Set<Candidate>(byUse.filter((one) => one.controlled).slice(0, controlledCount))
  const free = byUse.filter((one) => !one.controlled)
  // Few packages have a known UPC, and only products that are swallowed are used at home.
  const isKnown = (variant: DirectoryVariant) =>
    isChoosable(variant) && isSwallowed(variant) && upcOf(variant) !== null
  for (const one of free) if (one.variants.some(isKnown)) chosen.add(one)
  for (const category of ['Rx', 'OTC'] as const) {
    const ofCategory = free.filter(({ product }) => product.category === category)
    for (const form of new Set(ofCategory.flatMap(({ forms }) => [...forms]))) {
      for (const one of ofCategory.filter(({ forms }) => forms.has(form)).slice(0, perForm[category]))
        chosen.add(one)
    }
    const taken = [...chosen].filter((one) => one.product.category === category).length
    const rest = ofCategory.filter((one) => !chosen.has(one))
    for (const one of rest.slice(0, Math.max(0, productCounts[category] - taken))) chosen.add(one)
  }
  return byUse.filter((one) => chosen.has(one))
}

/** Each brand's generic among the rows of one product, by the importer's own rule. */
function genericsOf(variants: readonly DirectoryVariant[]): Map<string, DirectoryVariant> {
  const byKey = new Map(variants.map((variant) => [variant.catalogKey, variant]))
  const links = linkToGenerics(
    variants.map((variant) => ({ ...variant, id: variant.catalogKey, linkedVariantId: null })),
  )
  return new Map(
    links.flatMap(({ id, linkedVariantId }) => {
      const generic = linkedVariantId ? byKey.get(linkedVariantId) : undefined
      return generic ? [[id, generic]] : []
    }),
  )
}

/** A package with a stated amount that a customer would order. */
const isChoosable = ({ strength, packageSize, packageUnit }: DirectoryVariant): boolean =>
  strength !== '' && packageSize <= 180 && packageUnit !== 'package'

const isSwallowed = ({ dosageForm }: DirectoryVariant): boolean =>
  dosageForm === 'tablet' || dosageForm === 'capsule'

/**
 * Rows with a UPC first, then brands with their generics, then other strengths, forms and
 * manufacturers, up to the limit.
 */
function chooseVariants(variants: readonly DirectoryVariant[], limit: number): DirectoryVariant[] {
  const ordered = [...variants]
    .filter(isChoosable)
    .sort((a, b) => share(a.catalogKey, 'order') - share(b.catalogKey, 'order'))
  const generics = genericsOf(ordered)
  const chosen = new Set<DirectoryVariant>()
  const seen = new Set<string>()
  const add = (key: string, limit: number, ...some: (DirectoryVariant | undefined)[]) => {
    if (seen.has(key) || chosen.size >= limit) return
    seen.add(key)
    for (const one of some) if (one) chosen.add(one)
  }
  for (const variant of ordered.filter(upcOf)) {
    add(variant.catalogKey, limit, variant, generics.get(variant.catalogKey))
  }
  for (const variant of ordered.filter((one) => one.brandName)) {
    add(
      `${variant.brandName}|${variant.strength}|${variant.dosageForm}`,
      limit / 2,
      variant,
      generics.get(variant.catalogKey),
    )
  }
  for (const variant of ordered) add(`${variant.strength}|${variant.dosageForm}`, limit * 0.8, variant)
  for (const variant of ordered) {
    add(
      `${variant.strength}|${variant.packageSize}|${variant.dosageForm}|${variant.manufacturer?.key}`,
      limit,
      variant,
    )
  }
  return variants.filter((variant) => chosen.has(variant))
}

/**
 * Dollars per unit where NADAC has no price: a generic tablet costs cents, an injection tens of
 * dollars.
 */
const usualUnitPrice: Record<DosageForm, readonly [low: number, high: number]> = {
  tablet: [0.08, 0.6],
  capsule: [0.1, 0.8],
  liquid: [0.06, 0.25],
  syrup: [0.04, 0.12],
  cream: [0.2, 0.7],
  ointment: [0.2, 0.7],
  gel: [0.2, 0.8],
  injection: [4, 24],
  inhaler: [0.15, 0.5],
  patch: [2, 7],
  suppository: [0.8, 2.5],
}
/** Units in a whole tube, vial or inhaler that counts as one. */
const unitsInWhole: Partial<Record<DosageForm, number>> = {
  injection: 1,
  patch: 1,
  suppository: 1,
  tablet: 30,
  capsule: 30,
}
const injectionByVolume = [0.3, 1.2] as const
const brandFactor = 3.2
/** Over-the-counter products are cheaper than prescription ones. */
const otcPriceFactor = 0.4

/** NADAC's terms by the key of the products they price. */
const priceTerms = new Map<string, PriceTerm[]>()
for (const row of readRows('nadac', files.nadac)) {
  const term = fromNadacRow(row)
  for (const category of term ? ['Rx', 'OTC'] : []) {
    const key = `${category}:${term?.route}:${term?.moieties.join('+')}`
    priceTerms.set(key, [...(priceTerms.get(key) ?? []), ...(term ? [term] : [])])
  }
}

/** The average acquisition cost of the package where NADAC knows the product, else null. */
const knownCost = (variant: DirectoryVariant): number | null =>
  (priceTerms.get(variant.product.catalogKey) ?? [])
    .map((term) => findPrice(variant, term)?.acquisitionCostCents)
    .find((cents) => cents !== undefined) ?? null

/**
 * Cents per unit: NADAC's for this or another package of the same strength and form, else a typical
 * price.
 */
function unitCost(variant: DirectoryVariant, siblings: readonly DirectoryVariant[]): number {
  const alike = siblings.filter(
    (one) =>
      one.strength === variant.strength &&
      one.strengthUnit === variant.strengthUnit &&
      one.dosageForm === variant.dosageForm &&
      one.packageUnit === variant.packageUnit,
  )
  for (const one of [variant, ...alike]) {
    const cents = knownCost(one)
    if (cents !== null)
      return (cents / one.packageSize) * (variant.brandName && !one.brandName ? brandFactor : 1)
  }
  const form = variant.dosageForm ?? 'tablet'
  const byVolume = form === 'injection' && variant.packageUnit === 'mL'
  const [low, high] = byVolume ? injectionByVolume : usualUnitPrice[form]
  const key = `${variant.brandName ?? ''}|${variant.genericName}|${variant.strength}|${form}`
  const otcFactor = variant.product.category === 'OTC' ? otcPriceFactor : 1
  const wholeUnits = variant.packageSize === 1 ? (unitsInWhole[form] ?? 45) : 1
  return (
    100 *
    (low + (high - low) * share(key, 'unit price')) *
    wholeUnits *
    otcFactor *
    (variant.brandName ? brandFactor : 1)
  )
}

function demoPrice(
  variant: DirectoryVariant,
  siblings: readonly DirectoryVariant[],
): { priceCents: number; acquisitionCostCents: number } {
  const acquisitionCostCents = Math.max(1, Math.round(unitCost(variant, siblings) * variant.packageSize))
  return { priceCents: priceFromCost(acquisitionCostCents), acquisitionCostCents }
}

function stockOf(key: string): number {
  const draw = share(key, 'stock')
  if (draw < 0.1) return 0
  if (draw < 0.22) return 1 + Math.floor(share(key, 'low') * 10)
  return 20 + Math.floor(share(key, 'level') * 380)
}

function buildVariant(
  variant: DirectoryVariant,
  generic: DirectoryVariant | undefined,
  siblings: readonly DirectoryVariant[],
  sold: boolean,
): DemoVariant {
  return {
    id: demoId(`variant:${variant.catalogKey}`),
    brandName: variant.brandName,
    genericName: variant.genericName,
    manufacturerId: variant.manufacturer ? demoId(`maker:${variant.manufacturer.key}`) : null,
    dosageForm: variant.dosageForm,
    strength: variant.strength,
    strengthUnit: variant.strengthUnit,
    packageSize: variant.packageSize,
    packageUnit: variant.packageUnit,
    ...(sold ? demoPrice(variant, siblings) : { priceCents: null, acquisitionCostCents: null }),
    upc: upcOf(variant),
    ndc: variant.ndc,
    din: variant.din,
    stockQuantity: sold ? stockOf(variant.catalogKey) : 0,
    linkedVariantId: generic ? demoId(`variant:${generic.catalogKey}`) : null,
    labelStrength: variant.labelStrength,
    labelForm: variant.labelForm,
    labelPack: variant.labelPack,
    applicationNumber: variant.applicationNumber,
    catalogKey: variant.catalogKey,
  }
}

function buildProduct(candidate: Candidate, index: number): DemoProduct[] {
  const { product, controlled } = candidate
  const chosen = chooseVariants(
    candidate.variants,
    index < largeProducts ? variantsPerLargeProduct : variantsPerProduct,
  )
  if (chosen.length === 0) return []
  const generics = genericsOf(chosen)
  const variants = chosen.map((variant) =>
    buildVariant(variant, generics.get(variant.catalogKey), candidate.variants, controlled === null),
  )
  const names = new Map(
    chosen
      .flatMap((variant) => variant.names)
      .map((name) => [`${name.kind} ${name.key}`, { kind: name.kind, label: name.label }]),
  )
  const canadian = variants.filter((variant) => variant.din).length > variants.length / 2
  return [
    {
      id: demoId(`product:${product.catalogKey}`),
      name: product.name,
      description: describeDirectoryProduct({
        ...product,
        forms: new Set(chosen.flatMap(({ dosageForm }) => dosageForm ?? [])),
      }),
      ingredients: product.ingredients,
      route: product.route,
      drugClass: product.drugClass,
      category: product.category,
      controlledSchedule: controlled,
      pharmacyId: (canadian ? pharmacies.canada : pharmacies.us).id,
      unitsSold: controlled
        ? 0
        : Math.round((9000 / (index + 4)) * (0.6 + 0.8 * share(product.catalogKey, 'sold'))),
      catalogKey: product.catalogKey,
      names: [...names.values()],
      variants,
    },
  ]
}

const chosen = choose(group(readVariants()))
const products = chosen.flatMap(buildProduct)
const manufacturerNames = new Map(
  chosen
    .flatMap(({ variants }) => variants)
    .flatMap(({ manufacturer }) =>
      manufacturer ? [[demoId(`maker:${manufacturer.key}`), manufacturer.name]] : [],
    ),
)
const usedManufacturers = new Set(
  products.flatMap(({ variants }) => variants.map((variant) => variant.manufacturerId)),
)
const catalog: DemoCatalog = {
  manufacturers: [...manufacturerNames]
    .filter(([id]) => usedManufacturers.has(id))
    .map(([id, name]) => ({ id, name })),
  pharmacies: Object.values(pharmacies),
  products,
}
writeFileSync('db/seed/demo-catalog.json', `${JSON.stringify(catalog)}\n`)
const count = products.reduce((sum, { variants }) => sum + variants.length, 0)
console.log(`${products.length} products, ${count} variants, ${catalog.manufacturers.length} manufacturers`)
