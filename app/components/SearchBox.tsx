import Search from 'lucide-react/icons/search'
import { Form, useNavigate } from 'react-router'
import { Combobox, type ComboboxOption } from '../ui/Combobox.tsx'

type Suggestion = { label: string; href: string; hint: string | null }

async function loadSuggestions(
  typed: string,
  signal: AbortSignal,
): Promise<(ComboboxOption & { href: string })[]> {
  const response = await fetch(`/search/suggestions?q=${encodeURIComponent(typed)}`, { signal })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const { suggestions } = (await response.json()) as { suggestions: Suggestion[] }
  return suggestions.map((suggestion) => ({ ...suggestion, key: suggestion.href + suggestion.label }))
}

/** The way to every medicine: by name, NDC, DIN or UPC. A plain GET form that suggests as one types. */
export function SearchBox({
  term = '',
  label = 'Search medications',
  placeholder = 'Search medications by name, NDC, DIN or UPC',
}: {
  term?: string | undefined
  /** A second box on a page needs a name of its own. */
  label?: string
  placeholder?: string
}) {
  const navigate = useNavigate()
  return (
    <Form
      action="/products"
      role="search"
      aria-label={label}
      className="flex w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('q') ?? '').trim()
        if (typed) void navigate(`/products?q=${encodeURIComponent(typed)}`)
      }}
    >
      <Combobox
        // A new search from elsewhere on the page replaces what stands in the field.
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
        onPick={({ label, href }) => {
          void navigate(href)
          return label
        }}
      />
      <button className="btn btn-primary btn-square" aria-label="Find medications">
        <Search className="icon" />
      </button>
    </Form>
  )
}
