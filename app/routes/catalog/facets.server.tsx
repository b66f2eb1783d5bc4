import { otherForm, priceBands, type FacetCounts, type ProductSort } from '#domain/search/facets.ts'
import { maxQueryLength } from '#domain/search/search-query.ts'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { SearchParams } from '../../http/search-params.server.ts'
import { renderStatic } from '../../render/fragment-cache.server.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { SlidersHorizontal, X } from '../../ui/icons.tsx'
import { searchUrl, withoutFacets } from './search-url.ts'

type FacetsProps = { search: SearchParams; facets: FacetCounts }

/**
 * The filters and sorts above the results, as HTML. All of them are links, so no page loads code
 * for them.
 */
export const renderFacets = (props: FacetsProps): string =>
  isTyped(props.search) ? renderToStaticMarkup(<Facets {...props} />) : renderStatic(Facets, props)

/** What a person types can be about their health, so nothing of it is kept. */
const isTyped = ({ q, manufacturerId, ndc, din, upc }: SearchParams): boolean =>
  Boolean(q || manufacturerId || ndc || din || upc)

/** More of a value than the search reads would only make each of the links longer. */
const shortened = (search: SearchParams): SearchParams => ({
  ...search,
  q: search.q?.slice(0, maxQueryLength).toWellFormed(),
  manufacturerId: search.manufacturerId?.slice(0, maxQueryLength).toWellFormed(),
  ndc: search.ndc?.slice(0, maxQueryLength).toWellFormed(),
  din: search.din?.slice(0, maxQueryLength).toWellFormed(),
  upc: search.upc?.slice(0, maxQueryLength).toWellFormed(),
})

const Facets = ({ search: typed, facets }: FacetsProps) => {
  const search = shortened(typed)
  const chosen = listChosen(search)
  const to = (changes: SearchParams) => searchUrl({ ...search, ...changes, page: undefined })
  const filters = listFilters(facets, search)
  const sorts = listSorts(search)
  return (
    <>
      <Disclosure
        className="card px-4"
        summary={
          <>
            <SlidersHorizontal className="icon text-primary" />
            Filter and sort
            {search.sort ? (
              <span className="font-normal text-muted">
                {sorts.find(({ isCurrent }) => isCurrent)?.label}
              </span>
            ) : null}
          </>
        }
      >
        <div className="divide-y divide-line pb-2">
          <Group title="Sort by">
            {sorts.map(({ sort, label, isCurrent }) => (
              <Choice key={label} href={to({ sort })} isCurrent={isCurrent}>
                {label}
              </Choice>
            ))}
          </Group>
          {filters.map(({ title, choices }) =>
            choices.length > 0 ? (
              <Group key={title} title={title}>
                {choices.map(({ label, products, changes, isCurrent }) => (
                  <Choice key={label} href={to(changes)} isCurrent={isCurrent}>
                    {label}{' '}
                    <span className="text-muted tabular-nums">({products.toLocaleString('en-US')})</span>
                  </Choice>
                ))}
              </Group>
            ) : null,
          )}
        </div>
      </Disclosure>
      {chosen.length > 0 ? (
        <ul aria-label="Filters in use" className="mt-3 flex flex-wrap items-center gap-1.5 sm:gap-2">
          {chosen.map(({ label, changes }) => (
            <li key={label}>
              <a href={to(changes)} aria-label={`Remove ${label}`} className="btn max-sm:px-3">
                {label}
                <X />
              </a>
            </li>
          ))}
          {chosen.length > 1 ? (
            <li>
              <a
                href={searchUrl(withoutFacets(search))}
                className="text-link inline-flex min-h-11 items-center"
              >
                Clear all
              </a>
            </li>
          ) : null}
        </ul>
      ) : null}
    </>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="group" aria-label={title} className="items-start py-1 sm:flex">
    <p className="flex min-h-11 items-center text-muted sm:w-27 sm:flex-none">{title}</p>
    <ul className="flex min-w-0 flex-wrap gap-x-4 sm:flex-1">{children}</ul>
  </div>
)

const Choice = ({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: ReactNode }) => (
  <li>
    <a href={href} {...(isCurrent && { 'aria-current': 'true' })} className="choice">
      <span>{children}</span>
    </a>
  </li>
)

const sortLabels: Readonly<Record<ProductSort, string>> = {
  relevance: 'Relevance',
  popularity: 'Popularity',
  price: 'Price: low to high',
  'price-desc': 'Price: high to low',
  'unit-price': 'Price per unit',
  name: 'Name: A to Z',
}

/** The first is in use without a parameter: relevance of a search, popularity of a list. */
function listSorts({ q, sort }: SearchParams) {
  const [first, ...others] = (Object.keys(sortLabels) as ProductSort[]).filter(
    (one) => q !== undefined || one !== 'relevance',
  )
  const isKnown = others.some((one) => one === sort)
  return [
    { sort: undefined, label: sortLabels[first ?? 'popularity'], isCurrent: !isKnown },
    ...others.map((one) => ({ sort: one, label: sortLabels[one], isCurrent: one === sort })),
  ]
}

const categoryLabels = { Rx: 'Prescription', OTC: 'Over the counter' }
const formLabel = (form: string): string =>
  form === otherForm ? 'Other forms' : form.charAt(0).toUpperCase() + form.slice(1)
const priceLabel = (band: string): string => priceBands.find(({ key }) => key === band)?.label ?? band

/** A choice in use links to the results without it. */
function listFilters(counts: FacetCounts, search: SearchParams) {
  const choicesOf = <Name extends 'category' | 'form' | 'price' | 'shipsTo'>(
    name: Name,
    labelOf: (value: FacetCounts[Name][number]['value']) => string,
  ) =>
    counts[name].map(({ value, products }) => ({
      label: labelOf(value),
      products,
      changes: { [name]: value === search[name] ? undefined : value },
      isCurrent: value === search[name],
    }))
  const isStocked = search.stock !== undefined
  return [
    { title: 'Category', choices: choicesOf('category', (category) => categoryLabels[category]) },
    { title: 'Form', choices: choicesOf('form', formLabel) },
    { title: 'Price', choices: choicesOf('price', priceLabel) },
    {
      title: 'Availability',
      choices:
        counts.inStock > 0 || isStocked
          ? [
              {
                label: 'In stock',
                products: counts.inStock,
                changes: { stock: isStocked ? undefined : 'in' },
                isCurrent: isStocked,
              },
            ]
          : [],
    },
    { title: 'Ships to', choices: choicesOf('shipsTo', (country) => country) },
  ]
}

/** What narrows the results, and how to remove it. */
const listChosen = ({ category, form, stock, price, shipsTo }: SearchParams) => [
  ...(category ? [{ label: categoryLabels[category], changes: { category: undefined } }] : []),
  ...(form ? [{ label: formLabel(form), changes: { form: undefined } }] : []),
  ...(stock ? [{ label: 'In stock', changes: { stock: undefined } }] : []),
  ...(price ? [{ label: priceLabel(price), changes: { price: undefined } }] : []),
  ...(shipsTo ? [{ label: `Ships to ${shipsTo}`, changes: { shipsTo: undefined } }] : []),
]
