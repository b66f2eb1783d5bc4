import { useId, useState } from 'react'
import { Combobox, type ComboboxOption } from '../../../../ui/Combobox.tsx'
import { descriptionIds, FieldFrame } from '../../../../ui/Field.tsx'
import { showInTopLayer } from '../../../../ui/top-layer.ts'

type Choice = { id: string; label: string }

type ChoiceFieldProps = {
  label: string
  listLabel: string
  hint: string
  error?: string | undefined
  selected: Choice
  /** Shown while nothing is selected. */
  placeholder?: string
  load: (typed: string) => Promise<{ id: string; label: string; hint: string | null }[]>
  /** Text that was typed but not chosen from the list has an empty id. */
  onChange: (selected: Choice) => void
}

/** A field that selects one of many options, narrowed as the user types. */
export function ChoiceField({
  label,
  listLabel,
  hint,
  error,
  selected,
  placeholder,
  load,
  onChange,
}: ChoiceFieldProps) {
  const id = useId()
  const [initialLabel] = useState(selected.label)
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <Combobox<ComboboxOption>
        id={id}
        defaultValue={initialLabel}
        placeholder={placeholder}
        listLabel={listLabel}
        onOpen={showInTopLayer}
        aria-invalid={error ? true : undefined}
        aria-describedby={descriptionIds(id, hint, error)}
        load={async (typed) =>
          (await load(typed)).map((result) => ({ key: result.id, label: result.label, hint: result.hint }))
        }
        onTyped={(typed) => onChange({ id: '', label: typed })}
        onPick={(option) => {
          onChange({ id: option.key, label: option.label })
          return option.label
        }}
      />
    </FieldFrame>
  )
}
