import { useId, useState } from 'react'
import { Combobox, type ComboboxOption } from '../../../../ui/Combobox.tsx'

type Chosen = { id: string; label: string }

type ChoiceFieldProps = {
  label: string
  listLabel: string
  hint: string
  error?: string | undefined
  chosen: Chosen
  /** What stands there while nothing is chosen. */
  placeholder?: string
  load: (typed: string) => Promise<{ id: string; label: string; hint: string | null }[]>
  /** What was typed without being chosen has no id. */
  onChange: (chosen: Chosen) => void
}

/** One of very many, chosen from what narrows as one types. */
export function ChoiceField({
  label,
  listLabel,
  hint,
  error,
  chosen,
  placeholder,
  load,
  onChange,
}: ChoiceFieldProps) {
  const id = useId()
  const [atFirst] = useState(chosen.label)
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <Combobox<ComboboxOption>
        id={id}
        defaultValue={atFirst}
        placeholder={placeholder}
        listLabel={listLabel}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
        load={async (typed) =>
          (await load(typed)).map((one) => ({ key: one.id, label: one.label, hint: one.hint }))
        }
        onTyped={(typed) => onChange({ id: '', label: typed })}
        onPick={(option) => {
          onChange({ id: option.key, label: option.label })
          return option.label
        }}
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        {hint}
      </p>
      {error ? (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      ) : null}
    </div>
  )
}
