import { openDatabase, type Db } from '#db/client.ts'
import type { DemoCatalogue, DemoProduct, DemoVariant } from '#db/seed/demo.ts'
import type { DosageForm } from '#domain/catalog.ts'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'

/**
 * Makes db/seed/demo-catalogue.json from a database into which the real directories were imported with prices:
 *
 *   DATABASE_URL=sqlite:./data/directories.sqlite npm run catalog:import -- --ndc … --dpd … --upc … --nadac …
 *   npx tsx scripts/build-demo-catalogue.ts sqlite:./data/directories.sqlite
 *
 * The same database gives the same file. Stock, units sold and the prices that NADAC does not know are made up,
 * from a digest of the medicine's key, so that they stay what they are.
 */

const productsWanted = { Rx: 300, OTC: 100 }
const controlledWanted = 8
const variantsPerProduct = 14
const variantsPerLargeProduct = 60
const largeProducts = 3

const url = process.argv[2]
if (!url) throw new Error('Usage: npx tsx scripts/build-demo-catalogue.ts sqlite:/path')
const db = openDatabase(url, (error) => console.error(error.message))
try {
  const catalogue = await buildCatalogue(db)
  await writeFile('db/seed/demo-catalogue.json', `${JSON.stringify(catalogue, null, 1)}\n`)
  const variants = catalogue.products.flatMap((product) => product.variants)
  console.log(`${catalogue.products.length} products, ${variants.length} variants, ${catalogue.manufacturers.length} makers`)
} finally {
  await db.destroy()
}

/** A number from 0 to 1 that depends on the key alone. */
function share(key: string, purpose: string): number {
  return createHash('sha256').update(`${purpose}\n${key}`).digest().readUInt32BE(0) / 2 ** 32
}

/** A UUIDv7 of a fixed day, so that the demo's links outlive a reset. */
function demoId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return `01980000-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`
}

type Pharmacy = DemoCatalogue['pharmacies'][number]

const pharmacies = {
  us: {
    id: demoId('pharmacy:us'),
    name: 'Cascade Mail Pharmacy',
    country: 'United States',
    licenceNumber: 'DEMO-US-0147',
    licenceExpiry: '2028-06-30',
    shipsTo: ['United States', 'Canada', 'Mexico'],
  },
  canada: {
    id: demoId('pharmacy:canada'),
    name: 'Harbour Street Pharmacy',
    country: 'Canada',
    licenceNumber: 'DEMO-CA-2093',
    licenceExpiry: '2028-03-31',
    shipsTo: ['Canada', 'United States', 'United Kingdom', 'Australia'],
  },
} satisfies Record<string, Pharmacy>

async function buildCatalogue(db: Db): Promise<DemoCatalogue> {
  const chosen = await chooseProducts(db)
  const products: DemoProduct[] = []
  for (const [index, product] of chosen.entries()) products.push(await buildProduct(db, product, index))
  const makerIds = new Set(products.flatMap(({ variants }) => variants.map((variant) => variant.manufacturerId)))
  const makers = await db.selectFrom('manufacturers').select(['id', 'name', 'nameKey']).orderBy('nameKey').execute()
  return {
    manufacturers: makers
      .map(({ name, nameKey }) => ({ id: demoId(`maker:${nameKey}`), name }))
      .filter((maker) => makerIds.has(maker.id)),
    pharmacies: Object.values(pharmacies),
    products,
  }
}

type Chosen = { id: string; catalogKey: string; category: 'Rx' | 'OTC'; controlledSchedule: string | null; variantCount: number }

/** The medicines with the most packages are the most used; every dosage form has its share. */
async function chooseProducts(db: Db): Promise<(Chosen & { dosageForms: string; name: string; description: string | null })[]> {
  const all = await db
    .selectFrom('products')
    .select(['id', 'name', 'description', 'catalogKey', 'category', 'controlledSchedule', 'variantCount', 'dosageForms'])
    .where('deletedAt', 'is', null)
    .orderBy('variantCount', 'desc')
    .orderBy('sortName')
    .execute()
  const rows = all.flatMap((row) => (row.catalogKey && row.name.length <= 60 ? [{ ...row, catalogKey: row.catalogKey }] : []))
  const chosen = new Map<string, (typeof rows)[number]>()
  const take = (from: typeof rows, count: number) => {
    for (const row of from.slice(0, count)) chosen.set(row.id, row)
  }
  take(rows.filter((row) => row.controlledSchedule), controlledWanted)
  const free = rows.filter((row) => !row.controlledSchedule)
  for (const category of ['Rx', 'OTC'] as const) {
    const ofCategory = free.filter((row) => row.category === category)
    const forms = [...new Set(ofCategory.flatMap((row) => row.dosageForms.split(',')))].filter(Boolean)
    for (const form of forms) {
      take(ofCategory.filter((row) => row.dosageForms.split(',').includes(form)), category === 'Rx' ? 12 : 6)
    }
    const taken = [...chosen.values()].filter((row) => row.category === category).length
    take(ofCategory.filter((row) => !chosen.has(row.id)), productsWanted[category] - taken)
  }
  return [...chosen.values()].sort((a, b) => b.variantCount - a.variantCount || (a.catalogKey < b.catalogKey ? -1 : 1))
}

type VariantRow = Awaited<ReturnType<typeof loadVariants>>[number]

const loadVariants = (db: Db, productId: string) =>
  db
    .selectFrom('productVariants')
    .leftJoin('manufacturers', 'manufacturers.id', 'productVariants.manufacturerId')
    .selectAll('productVariants')
    .select('manufacturers.nameKey as makerKey')
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .orderBy('catalogKey')
    .execute()

/** A brand with its generic, then other strengths, forms and makers, until there are enough. */
function chooseVariants(rows: VariantRow[], wanted: number): VariantRow[] {
  const chosen = new Set<VariantRow>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const seen = new Set<string>()
  const add = (row: VariantRow | undefined) => {
    if (row && chosen.size < wanted && row.strength) chosen.add(row)
  }
  // First pass: each brand once a strength, with its generic. Second: each strength and form once a maker.
  for (const row of rows) {
    const generic = row.linkedVariantId ? byId.get(row.linkedVariantId) : undefined
    const key = `${row.brandName}|${row.strength}|${row.dosageForm}`
    if (!row.brandName || seen.has(key) || chosen.size > wanted / 2) continue
    seen.add(key)
    add(row)
    add(generic)
  }
  const ordered = [...rows].sort((a, b) => share(a.catalogKey ?? a.id, 'order') - share(b.catalogKey ?? b.id, 'order'))
  for (const row of ordered) {
    const key = `${row.strength}|${row.dosageForm}|${row.makerKey}`
    if (seen.has(key)) continue
    seen.add(key)
    add(row)
  }
  return rows.filter((row) => chosen.has(row))
}

async function buildProduct(
  db: Db,
  product: Awaited<ReturnType<typeof chooseProducts>>[number],
  index: number,
): Promise<DemoProduct> {
  const rows = await loadVariants(db, product.id)
  const chosen = chooseVariants(rows, index < largeProducts ? variantsPerLargeProduct : variantsPerProduct)
  const variants = (chosen.length > 0 ? chosen : rows.slice(0, 3)).map((row) => buildVariant(row, product.controlledSchedule))
  const listed = new Set(variants.map((variant) => variant.id))
  const keys = new Map(rows.map((row) => [row.id, row.catalogKey ?? row.id]))
  for (const variant of variants) {
    const linked = variant.linkedVariantId && demoId(`variant:${keys.get(variant.linkedVariantId)}`)
    variant.linkedVariantId = linked && listed.has(linked) ? linked : null
  }
  const names = await db
    .selectFrom('productNames')
    .select(['kind', 'label'])
    .where('productId', '=', product.id)
    .where('kind', '!=', 'product')
    .orderBy('kind')
    .orderBy('label')
    .execute()
  const brands = new Set(variants.map((variant) => variant.brandName))
  const canadian = variants.filter((variant) => variant.din).length > variants.length / 2
  return {
    id: demoId(`product:${product.catalogKey}`),
    name: product.name,
    description: product.description,
    category: product.category,
    controlledSchedule: product.controlledSchedule,
    pharmacyId: canadian ? pharmacies.canada.id : pharmacies.us.id,
    unitsSold: product.controlledSchedule ? 0 : Math.round((4000 / (index + 3)) * (0.6 + 0.8 * share(product.catalogKey, 'sold'))),
    catalogKey: product.catalogKey,
    names: names.filter(({ kind, label }) => kind !== 'brand' || brands.has(label)),
    variants,
  }
}

/** Dollars a unit where NADAC has none: a generic tablet costs cents, an injection tens of dollars. */
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

function priceOf(row: VariantRow): number {
  if (row.priceCents) return row.priceCents
  const [low, high] = usualUnitPrice[row.dosageForm ?? 'tablet']
  const key = `${row.brandName ?? ''}|${row.genericName}|${row.strength}|${row.dosageForm}`
  const unit = low + (high - low) * share(key, 'unit price')
  const size = Math.min(Math.max(row.packageSize, 1), 1000)
  // A whole tube or vial counted as one is dearer than one tablet.
  const words = row.packageSize === 1 && !['injection', 'patch', 'suppository'].includes(row.dosageForm ?? '') ? 40 : size
  const dollars = 3.5 + unit * words * (row.brandName ? 3.2 : 1)
  return Math.round(dollars * 100)
}

function stockOf(row: VariantRow): number {
  const draw = share(row.catalogKey ?? row.id, 'stock')
  if (draw < 0.1) return 0
  if (draw < 0.22) return 1 + Math.floor(share(row.catalogKey ?? row.id, 'low') * 10)
  return 20 + Math.floor(share(row.catalogKey ?? row.id, 'level') * 380)
}

function buildVariant(row: VariantRow, controlled: string | null): DemoVariant {
  const key = row.catalogKey ?? row.id
  const priceCents = priceOf(row)
  return {
    id: demoId(`variant:${key}`),
    brandName: row.brandName,
    genericName: row.genericName,
    manufacturerId: row.makerKey ? demoId(`maker:${row.makerKey}`) : null,
    dosageForm: row.dosageForm,
    strength: row.strength,
    strengthUnit: row.strengthUnit,
    packageSize: row.packageSize,
    packageUnit: row.packageUnit,
    priceCents: controlled ? null : priceCents,
    acquisitionCostCents: controlled ? null : (row.acquisitionCostCents ?? Math.round(priceCents * 0.7)),
    upc: row.upc,
    ndc: row.ndc,
    din: row.din,
    stockQuantity: controlled ? 0 : stockOf(row),
    linkedVariantId: row.linkedVariantId,
    labelStrength: row.labelStrength,
    labelForm: row.labelForm,
    labelPack: row.labelPack,
    catalogKey: key,
  }
}
