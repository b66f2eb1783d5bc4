import {
  brandLabel,
  canBuy,
  strengthLabel,
  type ProductCard,
  type VariantDetail,
} from '#domain/catalog/catalog.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { breadcrumbs, type StructuredData } from '../../render/page-meta.ts'

/** Structured data of a product page. Built on the server; the browser does not need it. */

export type Medicine = ProductCard & { ingredients: string | null }

/** The meta description. */
const longestDescription = 155
const longestName = 70
const fewStrengths = 3

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.flatMap((value) => (value ? [value] : []))),
]

const numerically = new Intl.Collator('en', { numeric: true })

const clip = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text

/**
 * A product in one sentence: "Metformin, prescription (Rx): tablet; 250 mg, 500 mg, 850 mg and 1
 * more strength; 12 manufacturers; from $4.12." Parts that do not fit are omitted, strengths first.
 */
export function describeProduct(product: ProductCard, variants: readonly VariantDetail[]): string {
  const strengths = distinct(variants.map(strengthLabel)).toSorted(numerically.compare)
  const manufacturers = distinct(variants.map((variant) => variant.manufacturerName))
  const more = strengths.length - fewStrengths
  const facts = {
    forms: product.forms.join(', '),
    strengths: [
      strengths.slice(0, fewStrengths).join(', '),
      more > 0 ? ` and ${more} more ${more === 1 ? 'strength' : 'strengths'}` : '',
    ].join(''),
    manufacturers:
      manufacturers.length > 1
        ? `${manufacturers.length} manufacturers`
        : manufacturers[0]
          ? `by ${manufacturers[0]}`
          : '',
    price: product.priceMin === null ? '' : `from ${dollars(product.priceMin)}`,
    controlled: product.controlledSchedule ? 'not available online' : '',
  }
  const sort = product.category === 'Rx' ? 'prescription (Rx)' : 'over the counter (OTC)'
  for (const omitted of [
    [],
    ['strengths'],
    ['strengths', 'manufacturers'],
    ['strengths', 'manufacturers', 'forms'],
  ]) {
    const included = Object.entries(facts).filter(([name, fact]) => fact !== '' && !omitted.includes(name))
    const end = included.length > 0 ? `: ${included.map(([, fact]) => fact).join('; ')}.` : '.'
    const sentence = `${clip(product.name, longestName)}, ${sort}${end}`
    if (sentence.length <= longestDescription) return sentence
  }
  return `${clip(product.name, longestName)}, ${sort}.`
}

/** How many offers include their identifiers; the page lists all of them. */
const mostOffers = 5

const availability = (inStock: boolean): string => `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`

/**
 * A product as schema.org's Drug, plus Product when it is sold (Google requires offers for a
 * product; developers.google.com, "Product structured data"), with its breadcrumbs.
 */
export function productStructured(
  origin: string,
  product: Medicine,
  variants: readonly VariantDetail[],
): StructuredData[] {
  const url = origin + paths.product(product.id)
  const offers = offersOf(url, product, variants)
  const brands = distinct(variants.map((variant) => variant.brandName))
  const manufacturers = distinct(variants.map((variant) => variant.manufacturerName))
  const ownBrand = brands.length === 1 && variants.every((variant) => variant.brandName) ? brands[0] : null
  const only = variants.length === 1 ? variants[0] : undefined
  return [
    {
      '@type': offers ? ['Product', 'Drug'] : 'Drug',
      '@id': url,
      url,
      name: product.name,
      description: product.description ?? describeProduct(product, variants),
      image: origin + product.image,
      category: product.category === 'Rx' ? 'Prescription medicine' : 'Over-the-counter medicine',
      prescriptionStatus: `https://schema.org/${product.category === 'Rx' ? 'PrescriptionOnly' : 'OTC'}`,
      nonProprietaryName: product.name,
      ...(product.ingredients && { activeIngredient: product.ingredients }),
      ...(product.forms.length > 0 && { dosageForm: product.forms.join(', ') }),
      ...(product.route && { administrationRoute: product.route }),
      ...(ownBrand && { brand: { '@type': 'Brand', name: ownBrand } }),
      ...(manufacturers.length === 1 && {
        manufacturer: { '@type': 'Organization', name: manufacturers[0] },
      }),
      ...(only && codesOf(only)),
      ...(offers && { offers }),
    },
    breadcrumbs(origin, [
      ['Products', paths.products],
      [
        product.category === 'Rx' ? 'Prescription' : 'Over the counter',
        paths.productSearch({ category: product.category }),
      ],
      [product.name, paths.product(product.id)],
    ]),
  ]
}

const codesOf = ({ sku, upc }: VariantDetail): { sku?: string; gtin12?: string } => ({
  ...(sku && { sku }),
  ...(upc && { gtin12: upc }),
})

/** The product's offers; null when nothing is for sale: no price, or a controlled substance. */
function offersOf(
  url: string,
  product: Pick<ProductCard, 'controlledSchedule' | 'priceMin' | 'priceMax'>,
  variants: readonly VariantDetail[],
): StructuredData | null {
  if (product.controlledSchedule) return null
  const priced = variants.filter((variant) => variant.price !== null && Number(variant.price) > 0)
  const [first] = priced
  if (!first) return null
  const offerOf = (variant: VariantDetail): StructuredData => ({
    '@type': 'Offer',
    name: [brandLabel(variant), strengthLabel(variant)].filter(Boolean).join(', '),
    url: variants.length === 1 ? url : `${url}?variant=${variant.id}`,
    price: variant.price,
    priceCurrency: 'USD',
    availability: availability(variant.inStock),
    ...codesOf(variant),
  })
  if (priced.length === 1) return offerOf(first)
  const coded = priced.filter(({ sku, upc }) => sku || upc).slice(0, mostOffers)
  return {
    '@type': 'AggregateOffer',
    lowPrice: product.priceMin,
    highPrice: product.priceMax,
    offerCount: priced.length,
    priceCurrency: 'USD',
    availability: availability(priced.some((variant) => canBuy(product, variant))),
    ...(coded.length > 0 && { offers: coded.map(offerOf) }),
  }
}
