import { paths } from '#domain/paths.ts'
import { Form, useNavigate } from 'react-router'
import { Combobox, type ComboboxOption } from '../ui/Combobox.tsx'
import { Search } from '../ui/icons.tsx'

type Suggestion = {
  label: string
  productId: string
  kind: 'product' | 'brand' | 'ingredient' | 'identifier'
}

const hints = { product: null, brand: 'Brand', ingredient: 'Ingredient', identifier: null } as const

async function loadSuggestions(
  typed: string,
  signal: AbortSignal,
): Promise<(ComboboxOption & { productId: string })[]> {
  const response = await fetch(paths.suggestions(typed), { signal })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const { suggestions } = (await response.json()) as { suggestions: Suggestion[] }
  return suggestions.map(({ label, productId, kind }) => ({
    key: `${productId} ${label}`,
    label,
    productId,
    hint: hints[kind],
  }))
}

/** Search by name, NDC, DIN or UPC: a plain GET form with suggestions while typing. */
export function SearchBox({
  term = '',
  label = 'Search medications',
  landmark,
  placeholder = 'Search medications by name, NDC, DIN or UPC',
}: {
  term?: string | undefined
  /** A second search box on a page needs its own label and landmark. */
  label?: string
  landmark?: string
  placeholder?: string
}) {
  const navigate = useNavigate()
  return (
    <Form
      action={paths.products}
      role="search"
      aria-label={landmark}
      className="flex w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('q') ?? '').trim()
        if (typed) void navigate(paths.productSearch({ q: typed }))
      }}
    >
      <Combobox
        // A search from elsewhere on the page replaces the field's text.
        key={term}
        type="search"
        name="q"
        defaultValue={term}
        aria-label={label}
        placeholder={placeholder}
        enterKeyHint="search"
        spellCheck={false}
        listLabel="Suggestions"
        load={loadSuggestions}
        onPick={({ label, productId }) => {
          void navigate(paths.product(productId))
          return label
        }}
      />
      <button className="btn btn-primary btn-square" aria-label="Find medications">
        <Search />
      </button>
    </Form>
  )
}
