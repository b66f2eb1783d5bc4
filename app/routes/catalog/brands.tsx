import { BackLink } from '../../components/BackLink.tsx'
import { paths } from '#domain/paths.ts'
import { browseBrands } from '#server/catalog/browse-brands.ts'
import { Form, useNavigation, useSubmit } from 'react-router'
import { BrandGrid } from './BrandCard.tsx'
import { BrandLetters } from './BrandLetters.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchX, Tag } from '../../ui/icons.tsx'
import { Pagination, PastLastPage } from '../../ui/Pagination.tsx'
import { breadcrumbs, pageMeta } from '../../render/page-meta.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { getContext } from '../../http/request-context.server.ts'
import { readBrandSearch } from '../../http/search-params.server.ts'
import type { Route } from './+types/brands'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const search = readBrandSearch(new URL(args.request.url).searchParams)
  return { q: search.q ?? '', requestedPage: search.page, list: await browseBrands(getContext(args), search) }
})

type Shown = Route.ComponentProps['loaderData']

export const meta = (args: Route.MetaArgs) => {
  const { loaderData: shown } = args
  const letter = shown?.list.letter ?? null
  const page = shown?.list.page ?? 1
  const which =
    letter === null ? 'Medication brands from A to Z' : `Medication brands that start with ${startOf(letter)}`
  return pageMeta(args, {
    title: [
      letter === null ? 'Shop by Brand' : `Brands that start with ${startOf(letter)}`,
      ...(page > 1 ? [`page ${page}`] : []),
    ].join(', '),
    description: `${which}${page > 1 ? `, page ${page}` : ''}, each with its generic name and whether it needs a prescription.`,
    canonical: hrefOf({ letter, page }),
    noindex: Boolean(shown?.q),
    structured: (origin) => [
      breadcrumbs(origin, [
        ['Products', paths.products],
        ['Shop by Brand', paths.brands],
        ...(letter === null ? [] : [[startOf(letter), hrefOf({ letter })] as const]),
      ]),
    ],
  })
}

export default function Brands({ loaderData }: Route.ComponentProps) {
  const { q, requestedPage, list } = loaderData
  const busy = useNavigation().location?.pathname === paths.brands
  return (
    <div className="page pt-4">
      <BackLink to={paths.products} prefetch="intent" label="Products" />
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-xl sm:text-2xl">Shop by Brand</h1>
        {list.letters.length > 0 ? (
          <p role="status" className="wrap-anywhere text-muted tabular-nums">
            {countLabel(loaderData)}
          </p>
        ) : null}
      </div>
      {list.letters.length === 0 ? (
        <EmptyState
          icon={<Tag />}
          title="No brands available at the moment."
          actions={<LinkButton to={paths.products}>Browse Medications</LinkButton>}
        >
          Medications are currently sold under their generic names.
        </EmptyState>
      ) : (
        <>
          <div className="card mt-4 p-3 max-sm:px-2.5 sm:p-4">
            <FindBrand key={q} q={q} />
            <div className="mt-3">
              <BrandLetters
                letters={list.letters}
                shown={q ? undefined : list.letter}
                hrefOf={(letter) => hrefOf({ letter })}
              />
            </div>
          </div>
          <PastLastPage requested={requestedPage} last={list.pageCount} />
          <div className={`mt-6 transition-opacity ${busy ? 'opacity-60' : ''}`} aria-busy={busy}>
            {list.brands.length > 0 ? <BrandGrid brands={list.brands} /> : <NothingFound {...loaderData} />}
          </div>
          <Pagination
            page={list.page}
            last={list.pageCount}
            hrefOf={(page) => hrefOf({ q, letter: list.letter, page })}
          />
        </>
      )}
    </div>
  )
}

/** Searches all letters for a word of the name, or its beginning. */
function FindBrand({ q }: { q: string }) {
  const submit = useSubmit()
  return (
    <Form
      action={paths.brands}
      role="search"
      aria-label="Brands"
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('q') ?? '').trim()
        void submit(new URLSearchParams(typed ? { q: typed } : {}), { action: paths.brands })
      }}
    >
      <div className="min-w-0 flex-1 basis-40 sm:max-w-md">
        <label htmlFor="brand" className="mb-1 block font-medium">
          Find a brand
        </label>
        <input
          id="brand"
          type="search"
          name="q"
          defaultValue={q}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          className="input"
        />
      </div>
      <button className="btn btn-primary">Find</button>
    </Form>
  )
}

const NothingFound = ({ q, list }: Shown) => (
  <EmptyState
    icon={<SearchX />}
    title="No brands found"
    actions={
      <>
        <LinkButton to={paths.brands}>Show all brands</LinkButton>
        {q ? <LinkButton to={paths.productSearch({ q })}>Search all medications</LinkButton> : null}
      </>
    }
  >
    {list.letter === null
      ? 'No matching brands. Check the spelling, or search all medications.'
      : `No brands start with ${startOf(list.letter)}.`}
  </EmptyState>
)

const startOf = (letter: string): string => (letter === 'other' ? 'a number or symbol' : letter)

/** The URL of a page of brands, without empty parameters. */
function hrefOf({ q, letter, page }: { q?: string; letter?: string | null; page?: number }): string {
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(letter && { letter }),
    ...(page !== undefined && page > 1 && { page: String(page) }),
  }).toString()
  return query ? `${paths.brands}?${query}` : paths.brands
}

function countLabel({ q, list }: Shown): string {
  const count = `${list.total.toLocaleString('en-US')} ${list.total === 1 ? 'brand' : 'brands'}`
  if (q) return `${count} for “${q.length > 60 ? `${q.slice(0, 60).toWellFormed()}…` : q}”`
  return list.letter === null ? count : `${count} starting with ${startOf(list.letter)}`
}
