import { paths } from '#domain/paths.ts'
import { Form, useNavigate } from 'react-router'
import { Combobox, type ComboboxOption } from '../ui/Combobox.tsx'
import { Search } from '../ui/icons.tsx'

type Option = ComboboxOption & { href: string }

async function loadSuggestions(typed: string, signal: AbortSignal): Promise<Option[]> {
  const response = await fetch(paths.suggestions(typed), { signal })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const { suggestions } = (await response.json()) as { suggestions: Omit<Option, 'key'>[] }
  return suggestions.map((option) => ({ ...option, key: option.href + option.label }))
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
        onPick={({ label, href }) => {
          void navigate(href)
          return label
        }}
      />
      <button className="btn btn-primary btn-square" aria-label="Find medications">
        <Search />
      </button>
    </Form>
  )
}
