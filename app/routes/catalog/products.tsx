import { paths } from '#domain/paths.ts'
import { getManufacturerPicker } from '#server/catalog/resolve-manufacturer.ts'
import { searchProducts, type ProductSearchResult } from '#server/search/search-products.ts'
import { useNavigation } from 'react-router'
import { Link } from '../../render/Link.tsx'
import { AdvancedSearch } from './AdvancedSearch.tsx'
import { ProductGrid } from '../../components/ProductCard.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination, PastLastPage } from '../../ui/Pagination.tsx'
import { pageLoader } from '../../http/page-loader.server.ts'
import { breadcrumbs, pageMeta } from '../../render/page-meta.ts'
import { getContext } from '../../http/request-context.server.ts'
import { readSearch, type SearchParams } from '../../http/search-params.server.ts'
import { helpFor } from '#domain/search/emergency-help.ts'
import { renderFacets } from './facets.server.tsx'
import { renderSearchAnswer } from './search-answer.server.tsx'
import { searchUrl, withoutFacets } from './search-url.ts'
import type { Route } from './+types/products'
import { SearchX } from '../../ui/icons.tsx'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const ctx = getContext(args)
  const search = readSearch(new URL(args.request.url).searchParams)
  // Without scripts, a manufacturer's name is typed, not selected. It becomes the id here.
  const manufacturers = await getManufacturerPicker(ctx, search.manufacturerId)
  const manufacturerId = manufacturers.selected?.id ?? search.manufacturerId
  const { need, emergency, facets, ...result } = await searchProducts(ctx, {
    ...search,
    manufacturerId,
    byNeed: true,
    facets: true,
  })
  const answer = renderSearchAnswer({ need, emergency })
  return {
    search,
    result,
    manufacturers,
    answer: answer && { __html: answer },
    emergencyHeading: emergency && {
      language: emergency.language,
      text: helpFor(emergency.kind, emergency.language).heading,
    },
    facets:
      facets && (result.total > 0 || isNarrowed(search))
        ? { __html: renderFacets({ search, facets }) }
        : null,
  }
})

export const meta = (args: Route.MetaArgs) => {
  const { search, result } = args.loaderData
  const { category } = search
  const { page } = result
  const list = tabs.find(([tab]) => tab === category)?.[1] ?? 'All'
  const heading = category && !isSearch(search) ? `${list} medications` : headingOf(search)
  const pages = page > 1 ? `, page ${page}` : ''
  return pageMeta(args, {
    title: heading + pages,
    description: `${list} medications${pages}: ${countLabel(
      result,
    )}, brand and generic side by side, with strengths, packs, prices in USD and availability.`,
    canonical: searchUrl({ category, page }),
    noindex: isSearch(search),
    structured: (origin) => [
      breadcrumbs(origin, [
        ['Home', '/'],
        ['Products', paths.products],
        ...(category ? [[list, searchUrl({ category })] as const] : []),
      ]),
    ],
  })
}

/** Whether these are search results, which are not indexed: their pages are endless. */
const isSearch = ({ q, manufacturerId, ndc, din, upc, sort, ...rest }: SearchParams): boolean =>
  Boolean(q || manufacturerId || ndc || din || upc || sort || isNarrowed(rest))

const isNarrowed = ({ form, stock, price, shipsTo }: SearchParams): boolean =>
  Boolean(form || stock || price || shipsTo)

export default function Products({ loaderData }: Route.ComponentProps) {
  const { search, result, manufacturers, answer, emergencyHeading, facets } = loaderData
  const busy = useNavigation().location?.pathname === paths.products
  const answerCard = answer ? <div className="mt-4" dangerouslySetInnerHTML={answer} /> : null
  if (emergencyHeading) {
    return (
      <div className="page pt-8">
        <h1 lang={emergencyHeading.language} className="text-xl sm:text-2xl">
          {emergencyHeading.text}
        </h1>
        {answerCard}
      </div>
    )
  }
  return (
    <div className="page pt-8">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-xl wrap-anywhere sm:text-2xl">{headingOf(search)}</h1>
        <p role="status" className="text-muted tabular-nums">
          {countLabel(result)}
        </p>
      </div>
      <CategoryTabs search={search} />
      <div className="mt-4">
        <AdvancedSearch
          key={JSON.stringify([search.manufacturerId, search.ndc, search.din, search.upc, search.q])}
          search={search}
          manufacturers={manufacturers}
        />
      </div>
      {facets ? <div className="mt-3" dangerouslySetInnerHTML={facets} /> : null}
      {answerCard}
      <SearchNote result={result} />
      <PastLastPage requested={search.page} last={result.pageCount} />
      <div className={`mt-6 transition-opacity ${busy ? 'opacity-60' : ''}`} aria-busy={busy}>
        {result.products.length > 0 ? (
          <ProductGrid products={result.products} level={2} inView={4} />
        ) : isNarrowed(search) ? (
          <EmptyState
            icon={<SearchX />}
            title="No medications found"
            actions={<LinkButton to={searchUrl(withoutFacets(search))}>Clear filters</LinkButton>}
          >
            No medication matches all of these filters.
          </EmptyState>
        ) : (
          <EmptyState
            icon={<SearchX />}
            title="No medications found"
            actions={
              <>
                <LinkButton to={paths.products}>Show all medications</LinkButton>
                <LinkButton to={paths.contact}>Ask our pharmacists</LinkButton>
              </>
            }
          >
            Check the spelling or try another name. Brand names find generics, and generics find brands. You
            can enter an NDC, DIN or UPC with or without dashes.
          </EmptyState>
        )}
      </div>
      <Pagination
        page={result.page}
        last={result.pageCount}
        hrefOf={(page) => searchUrl({ ...search, page })}
      />
    </div>
  )
}

/** Explains an empty result, or what was searched for instead. */
function SearchNote({
  result: { note, repairedQuery, relaxed },
}: {
  result: Omit<ProductSearchResult, 'need' | 'emergency' | 'facets'>
}) {
  if (note === null) return null
  return (
    <p className="mt-4 text-muted">
      {relaxed ? (
        relaxed.sentence
      ) : note === 'repaired' ? (
        <>
          No exact matches. Showing results for <strong>{repairedQuery}</strong>.
        </>
      ) : (
        'This barcode’s check digit doesn’t match. Check the number.'
      )}
    </p>
  )
}

const tabs = [
  [undefined, 'All'],
  ['Rx', 'Prescription'],
  ['OTC', 'Over the counter'],
] as const

/** The two categories, within the current search. */
const CategoryTabs = ({ search }: { search: SearchParams }) => (
  <nav aria-label="Category" className="mt-4 flex flex-wrap gap-1.5 sm:gap-2">
    {tabs.map(([category, words]) => (
      <Link
        key={words}
        to={searchUrl({ ...search, category, page: undefined })}
        {...(search.category === category && { 'aria-current': 'page' as const })}
        className="btn rounded-full border-base-content/30 max-sm:px-3 bg-base-100 font-medium aria-[current=page]:border-primary aria-[current=page]:bg-primary aria-[current=page]:text-primary-content"
      >
        {words}
      </Link>
    ))}
  </nav>
)

/** A query can be 100 kB long; a heading cannot. */
function headingOf({ q }: SearchParams): string {
  if (!q) return 'Medications'
  return `Results for “${q.length > 60 ? `${q.slice(0, 60).toWellFormed()}…` : q}”`
}

function countLabel({ total, totalIsCapped }: { total: number; totalIsCapped: boolean }): string {
  const count = total.toLocaleString('en-US')
  return totalIsCapped
    ? `more than ${count} medications`
    : total === 1
      ? '1 medication'
      : `${count} medications`
}
