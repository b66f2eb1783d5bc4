import { comparisonKey } from '#domain/screening/equivalent-offers.ts'
import { rateVariant, type ListedProduct } from '#domain/screening/equivalents.ts'
import { findColumns, parseLine, RowRejectedError } from '#server/catalog/directory/columns.ts'
import { fromNdcRow } from '#server/catalog/directory/ndc.ts'
import { readTsv } from '#tests/support/care-lists.ts'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

type RatedPackage = Parameters<typeof rateVariant>[0] & Parameters<typeof comparisonKey>[0]

function readListedProducts(): { listed: ListedProduct[]; incomplete: number } {
  const rows = readTsv('db/seed/care/therapeutic-equivalence.tsv.gz')
  const listed = rows.map((row) => ({
    applicationNumber: row.application_number ?? '',
    activeIngredient: row.active_ingredient ?? '',
    formRoute: row.form_route ?? '',
    strength: row.strength || null,
    marketingStatus: row.marketing_status ?? '',
    teCode: row.te_code || null,
  }))
  return { listed, incomplete: rows.filter((row) => row.ingredient_list_complete === 'N').length }
}

/** The US packages of the demo catalog. */
function readDemoPackages(): RatedPackage[] {
  const { products } = JSON.parse(readFileSync('db/seed/demo-catalog.json', 'utf8')) as {
    products: { id: string; variants: (RatedPackage & { ndc: string | null })[] }[]
  }
  return products.flatMap(({ id, variants }) =>
    variants.filter(({ ndc }) => ndc !== null).map((variant) => ({ ...variant, productId: id })),
  )
}

/** The packages of a whole NDC directory. */
function readDirectoryPackages(path: string): RatedPackage[] {
  const [header = '', ...lines] = gunzipSync(readFileSync(path)).toString('utf8').split('\n')
  const columns = findColumns('ndc', header)
  return lines.filter(Boolean).flatMap((line) => {
    try {
      const variant = fromNdcRow(parseLine<'ndc'>(columns, line))
      return [{ ...variant, productId: variant.product.catalogKey }]
    } catch (error) {
      if (error instanceof RowRejectedError) return []
      throw error
    }
  })
}

/**
 * How many US packages FDA's list rates, and how many of those have an equivalent of another
 * application.
 */
export function listEquivalentsCoverage(catalog: string | undefined): string[] {
  const { listed, incomplete } = readListedProducts()
  const rowsOf = new Map<string, ListedProduct[]>()
  for (const row of listed) {
    const rows = rowsOf.get(row.applicationNumber)
    if (rows) rows.push(row)
    else rowsOf.set(row.applicationNumber, [row])
  }
  const isCoded = (row: ListedProduct): boolean =>
    row.marketingStatus === 'Prescription' && row.teCode?.startsWith('A') === true
  const measure = (name: string, packages: readonly RatedPackage[]): string => {
    const rowsOfPackage = (one: RatedPackage) => rowsOf.get(one.applicationNumber ?? '') ?? []
    const applications = new Map<string, Set<string | null>>()
    const keys = packages.flatMap((one) => {
      const rating = rateVariant(one, rowsOfPackage(one))
      if (!rating) return []
      const key = comparisonKey(one, rating)
      applications.set(key, (applications.get(key) ?? new Set()).add(one.applicationNumber))
      return [key]
    })
    const figures = {
      'US packages': packages.length,
      'with an application': packages.filter((one) => one.applicationNumber !== null).length,
      'on the list': packages.filter((one) => rowsOfPackage(one).length > 0).length,
      'with an A-code for the application': packages.filter((one) => rowsOfPackage(one).some(isCoded)).length,
      rated: keys.length,
      'with an equivalent of another application': keys.filter(
        (key) => (applications.get(key)?.size ?? 0) > 1,
      ).length,
    }
    const text = Object.entries(figures).map(([what, count]) => `${count} ${what}`)
    return `  ${name.padEnd(15)} ${text.join(', ')}`
  }
  return [
    `Equivalents: ${listed.length} rows, ${listed.filter(isCoded).length} with an A-code on the market, ${incomplete} of ingredients whose list is incomplete`,
    measure('demo catalog', readDemoPackages()),
    ...(catalog ? [measure('full directory', readDirectoryPackages(`${catalog}/ndc-catalogue.tsv.gz`))] : []),
  ]
}
