import type { FacetOptions } from '#domain/catalog/variant-choice.ts'
import { useEffect, useRef } from 'react'
import { Form, useSubmit } from 'react-router'
import { SelectField } from '../../ui/Field.tsx'
import { Button } from '../../ui/Button.tsx'

const labels: Record<FacetOptions['facet'], { label: string; any: string }> = {
  form: { label: 'Form', any: 'Any form' },
  strength: { label: 'Strength', any: 'Any strength' },
  brand: { label: 'Brand', any: 'Any brand' },
  pack: { label: 'Pack', any: 'Any pack' },
}

/**
 * Filters by form, strength, brand and pack. A GET form; with scripts, each choice applies at once.
 */
export function NarrowVariants({ facets, path }: { facets: readonly FacetOptions[]; path: string }) {
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  // Choosing a form can remove the selected strength. The value is set directly, because a
  // re-created select would lose focus.
  useEffect(() => {
    for (const { facet, selected: chosen } of facets) {
      const select = form.current?.elements.namedItem(facet)
      if (select instanceof HTMLSelectElement) select.value = chosen ?? ''
    }
  }, [facets])
  const useful = facets.filter(({ options, selected: chosen }) => options.length > 1 || chosen !== null)
  if (useful.length === 0) return null
  return (
    <Form
      ref={form}
      action={path}
      preventScrollReset
      aria-label="Filter options"
      className="print:hidden"
      onChange={(event) => {
        const chosen = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
        const query = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]))
        void submit(query, { action: path, preventScrollReset: true, replace: true })
      }}
    >
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {useful.map(({ facet, selected: chosen, options }) => (
          <SelectField key={facet} label={labels[facet].label} name={facet} defaultValue={chosen ?? ''}>
            <option value="">{labels[facet].any}</option>
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </SelectField>
        ))}
      </div>
      <Button className="mt-3 hidden noscript:inline-flex">Show matching</Button>
    </Form>
  )
}
