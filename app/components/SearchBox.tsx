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
export function SearchBox({ term = '' }: { term?: string | undefined }) {
  const navigate = useNavigate()
  return (
    <Form
      action="/products"
      role="search"
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
        aria-label="Search medications"
        placeholder="Search medications by name, NDC, DIN or UPC"
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
