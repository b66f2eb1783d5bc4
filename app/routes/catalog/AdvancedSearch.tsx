import { paths } from '#domain/paths.ts'
import { useState } from 'react'
import { Form, useSubmit } from 'react-router'
import { Combobox, type ComboboxOption } from '../../ui/Combobox.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { SlidersHorizontal } from '../../ui/icons.tsx'

type Manufacturer = { id: string; name: string }

type AdvancedSearchProps = {
  search: {
    q?: string | undefined
    manufacturerId?: string | undefined
    ndc?: string | undefined
    din?: string | undefined
    upc?: string | undefined
    category?: string | undefined
  }
  /**
   * All manufacturers, or null when there are too many for a select; then the field is a combobox.
   */
  manufacturers: { all: readonly Manufacturer[] | null; selected: Manufacturer | null }
}

/**
 * Search by manufacturer and identifiers. A GET form; with scripts, empty fields stay out of the
 * URL.
 */
export function AdvancedSearch({ search, manufacturers }: AdvancedSearchProps) {
  const submit = useSubmit()
  const used = Boolean(search.manufacturerId || search.ndc || search.din || search.upc)
  return (
    <Disclosure
      open={used}
      className="card px-4"
      summary={
        <>
          <SlidersHorizontal className="icon text-primary" />
          Advanced search
        </>
      }
    >
      <Form
        action={paths.products}
        aria-label="Advanced search"
        className="pb-4"
        onSubmit={(event) => {
          event.preventDefault()
          const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [
            name,
            String(value).trim(),
          ])
          void submit(new URLSearchParams(fields.filter(([, value]) => value !== '')), {
            action: paths.products,
          })
        }}
      >
        {search.q ? <input type="hidden" name="q" value={search.q} /> : null}
        {search.category ? <input type="hidden" name="category" value={search.category} /> : null}
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
          {manufacturers.all ? (
            <SelectField
              label="Manufacturer"
              name="manufacturerId"
              defaultValue={search.manufacturerId ?? ''}
            >
              <option value="">Any manufacturer</option>
              {manufacturers.all.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          ) : (
            <ManufacturerField key={manufacturers.selected?.id ?? ''} selected={manufacturers.selected} />
          )}
          <Field
            label="NDC"
            name="ndc"
            defaultValue={search.ndc}
            hint="With or without dashes"
            spellCheck={false}
          />
          <Field label="DIN" name="din" defaultValue={search.din} hint="8 digits" inputMode="numeric" />
          <Field label="UPC" name="upc" defaultValue={search.upc} hint="12 digits" inputMode="numeric" />
        </div>
        <button className="btn btn-primary mt-4 w-full sm:w-auto">Search</button>
      </Form>
    </Disclosure>
  )
}

async function loadManufacturers(typed: string, signal: AbortSignal): Promise<ComboboxOption[]> {
  const response = await fetch(paths.manufacturerSuggestions(typed), { signal })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const { manufacturers } = (await response.json()) as { manufacturers: Manufacturer[] }
  return manufacturers.map(({ id, name }) => ({ key: id, label: name }))
}

/**
 * A combobox whose options narrow while the user types. It submits the id of the selected option,
 * or the typed text when none was selected.
 */
function ManufacturerField({ selected }: { selected: Manufacturer | null }) {
  const [id, setId] = useState(selected?.id ?? '')
  return (
    <div>
      <label htmlFor="manufacturer" className="mb-1 block font-medium">
        Manufacturer
      </label>
      <Combobox
        id="manufacturer"
        name={id ? undefined : 'manufacturerId'}
        defaultValue={selected?.name}
        listLabel="Manufacturers"
        aria-describedby="manufacturer-hint"
        load={loadManufacturers}
        onTyped={() => setId('')}
        onPick={(manufacturer) => {
          setId(manufacturer.key)
          return manufacturer.label
        }}
      />
      <p id="manufacturer-hint" className="mt-1 text-sm text-muted">
        Type a name and select it
      </p>
      {id ? <input type="hidden" name="manufacturerId" value={id} /> : null}
    </div>
  )
}
