import type { StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { useId } from 'react'
import { trpc } from '../../../http/trpc.ts'
import { Combobox } from '../../../ui/Combobox.tsx'
import { showInTopLayer } from '../../../ui/top-layer.ts'
import { variantName } from './variant-name.ts'

type VariantFieldProps = {
  label: string
  name?: string
  /** The initial selection. */
  selected: StockedVariant | null
  typed?: string
  error?: string | undefined
  onPick: (variant: StockedVariant) => void
  /** Called when the user types something other than the selection. */
  onTyped?: () => void
}

/**
 * Finds one of a hundred thousand variants as the user types: by medicine, brand, manufacturer,
 * strength or identifier.
 */
export function VariantField({
  label,
  name,
  selected,
  typed = '',
  error,
  onPick,
  onTyped,
}: VariantFieldProps) {
  const id = useId()
  const utils = trpc.useUtils()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <Combobox
        id={id}
        name={name}
        listLabel="Suggestions"
        onOpen={showInTopLayer}
        maxLength={200}
        defaultValue={selected ? variantName(selected) : typed}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        load={async (text) => {
          const found = await utils.inventory.suggest.fetch({ text })
          return found.map((variant) => ({
            key: variant.id,
            label: variantName(variant),
            hint: `${variant.kind} · ${variant.stockQuantity.toLocaleString('en-US')} on hand`,
            variant,
          }))
        }}
        onPick={(option) => {
          onPick(option.variant)
          return option.label
        }}
        {...(onTyped && { onTyped })}
      />
      {error ? (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      ) : null}
    </div>
  )
}
