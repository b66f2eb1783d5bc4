import { categories, dosageForms, type Category, type DosageForm } from '../catalog/catalog.ts'

/** The form of a variant whose directory states none. */
export const otherForm = 'other'
const forms = [...dosageForms, otherForm] as const
export type FacetForm = DosageForm | typeof otherForm

/** In dollars. The order is stored (`products.offers`): append, never insert. */
export const priceBands = [
  { key: 'under-10', label: 'Under $10', below: 10 },
  { key: '10-25', label: '$10 to $25', below: 25 },
  { key: '25-50', label: '$25 to $50', below: 50 },
  { key: '50-100', label: '$50 to $100', below: 100 },
  { key: 'over-100', label: '$100 and up', below: null },
] as const
export type PriceBand = (typeof priceBands)[number]['key']
export const priceBandKeys = priceBands.map(({ key }) => key)

export const productSorts = ['relevance', 'popularity', 'price', 'price-desc', 'unit-price', 'name'] as const
export type ProductSort = (typeof productSorts)[number]

/**
 * What a customer narrows results to. One variant must have the form, the stock and the price.
 */
export type FacetSelection = {
  category: Category | null
  form: FacetForm | null
  inStock: boolean
  price: PriceBand | null
  /** A country that a pharmacy of the product ships to. */
  shipsTo: string | null
}

/** Products with the same category, pharmacy and offers. */
export type OfferGroup = {
  category: Category
  pharmacyId: string | null
  /** Form, "+" if in stock or "-", number of the price band or 0: "tablet+2,tablet-3". */
  offers: string
  products: number
}

type Offer = {
  form: string
  inStock: boolean
  price: PriceBand | null
  /** Under which it is counted. */
  formKey: string
  priceKey: string | null
}

function parseOffer(text: string): Offer {
  const [, form = '', sign, band] = /^(\w+)([+-])(\d)$/.exec(text) ?? []
  const price = priceBandKeys[Number(band) - 1] ?? null
  return { form, inStock: sign === '+', price, formKey: `form ${form}`, priceKey: price && `price ${price}` }
}

/** The countries that a pharmacy ships to, by its id. Null for products without a pharmacy. */
export type ShippingCountries = (pharmacyId: string | null) => readonly string[]

/** Few products differ in their offers, so most texts are parsed once. */
const parsed = new Map<string, readonly Offer[]>()
const maxParsed = 20_000

/** A product without variants has one empty offer: it matches if nothing is asked of a variant. */
function offersOf({ offers }: OfferGroup): readonly Offer[] {
  let list = parsed.get(offers)
  if (!list) {
    if (parsed.size >= maxParsed) parsed.clear()
    parsed.set(offers, (list = offers.split(',').map(parseOffer)))
  }
  return list
}

/** The parts of the selection that the offer matches. */
const matchOffer = (offer: Offer, { form, inStock, price }: FacetSelection) => ({
  form: form === null || offer.form === form,
  stock: !inStock || offer.inStock,
  price: price === null || offer.price === price,
})

const isShipped = ({ pharmacyId }: OfferGroup, { shipsTo }: FacetSelection, countries: ShippingCountries) =>
  shipsTo === null || countries(pharmacyId).includes(shipsTo)

/** The groups whose products match the selection. */
export const matchingGroups = (
  groups: readonly OfferGroup[],
  selection: FacetSelection,
  countries: ShippingCountries,
): OfferGroup[] =>
  groups.filter(
    (group) =>
      (selection.category === null || group.category === selection.category) &&
      isShipped(group, selection, countries) &&
      offersOf(group).some((offer) => {
        const { form, stock, price } = matchOffer(offer, selection)
        return form && stock && price
      }),
  )

export type FacetCounts = {
  [F in 'category' | 'form' | 'price' | 'shipsTo']: {
    value: NonNullable<FacetSelection[F]>
    products: number
  }[]
} & { inStock: number }

/**
 * For each value of each facet, how many products match with it and the other facets' selection.
 * Values without products are left out.
 */
export function countFacets(
  groups: readonly OfferGroup[],
  selection: FacetSelection,
  countries: ShippingCountries,
): FacetCounts {
  const counts = new Map<string, number>()
  let inStock = 0
  for (const group of groups) {
    const isCategory = selection.category === null || group.category === selection.category
    const ships = isShipped(group, selection, countries)
    if (!isCategory && !ships) continue
    const found = new Set<string>()
    let matches = false
    let isStocked = false
    for (const offer of offersOf(group)) {
      const { form, stock, price } = matchOffer(offer, selection)
      if (stock && price) found.add(offer.formKey)
      if (form && stock && offer.priceKey !== null) found.add(offer.priceKey)
      isStocked ||= form && price && offer.inStock
      matches ||= form && stock && price
    }
    const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + group.products)
    if (isCategory && ships) {
      for (const key of found) add(key)
      if (isStocked) inStock += group.products
    }
    if (matches && ships) add(`category ${group.category}`)
    if (matches && isCategory) for (const country of countries(group.pharmacyId)) add(`shipsTo ${country}`)
  }
  const listed = <Value extends string>(facet: string, values: readonly Value[]) =>
    values.flatMap((value) => {
      const products = counts.get(`${facet} ${value}`) ?? 0
      return products > 0 ? [{ value, products }] : []
    })
  const shippedTo = [...counts.keys()].flatMap((key) => (key.startsWith('shipsTo ') ? [key.slice(8)] : []))
  return {
    category: listed('category', categories),
    form: listed('form', forms),
    price: listed('price', priceBandKeys),
    shipsTo: listed('shipsTo', shippedTo.toSorted()),
    inStock,
  }
}
