import { brandLabel, marketOf, strengthLabel } from '#domain/catalog/catalog.ts'
import { formLabel } from '#domain/catalog/form-label.ts'
import type { ListedOffer, OpenChoice, Saving } from '#domain/catalog/variant-choice.ts'
import { Fragment, memo, useEffect, useRef } from 'react'
import { Link } from '../../render/Link.tsx'
import { Price } from '../../components/Price.tsx'
import { Pack } from '../../components/VariantFacts.tsx'
import { stockLabel, unitPriceLabel } from './offer-facts.ts'

type VariantPickerProps = {
  variants: readonly ListedOffer[]
  openChoice: OpenChoice
  /** Whether the form was posted without a choice. */
  isMissing: boolean
  selectedId: string | null
  onSelect: (id: string) => void
  savings: Readonly<Record<string, Saving>>
  /** How many more variants match, and the URL that lists them. */
  unlisted: number
  moreHref: string
}

/**
 * One radio per variant, named by brand, strength, pack and price (contract, "Labels": Product).
 */
export function VariantPicker({
  variants,
  openChoice,
  isMissing,
  selectedId,
  onSelect,
  savings,
  unlisted,
  moreHref,
}: VariantPickerProps) {
  const list = useRef<HTMLUListElement>(null)
  // React keeps a radio that was checked before hydration or restored by the browser. Without this,
  // the page would show another variant's price until the next render.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLInputElement>('input:checked')?.value
    if (chosen !== undefined && chosen !== selectedId) onSelect(chosen)
  }, [selectedId, onSelect])
  return (
    <fieldset
      role="radiogroup"
      aria-required
      aria-invalid={isMissing || undefined}
      aria-describedby={isMissing ? 'choice-error' : undefined}
      className="min-w-0"
    >
      <legend className="mb-2 flex w-full flex-wrap items-baseline gap-x-3 text-lg font-semibold">
        {`Choose your ${openChoice ?? 'brand and pack'} `}
        <span role="status" className="text-sm font-normal text-muted">
          {variants.length + unlisted === 1 ? '1 option' : `${variants.length + unlisted} options`}
        </span>
      </legend>
      {isMissing ? (
        <p id="choice-error" className="mb-2 font-medium text-error">
          {`Choose your ${openChoice ?? 'pack'} to add this to your cart.`}
        </p>
      ) : null}
      <ul ref={list} className="card divide-y divide-line">
        {variants.map((variant, index) => (
          <Fragment key={variant.id}>
            {variant.heading && variant.heading !== variants[index - 1]?.heading ? (
              <li className="bg-base-200 px-4 py-2 font-semibold first-letter:uppercase">
                {variant.heading}
              </li>
            ) : null}
            <VariantOption
              variant={variant}
              saving={savings[variant.id]}
              checked={variant.id === selectedId}
              focused={isMissing && index === 0}
              onSelect={onSelect}
            />
          </Fragment>
        ))}
      </ul>
      {unlisted > 0 ? (
        <p className="mt-2 text-sm text-muted">
          {unlisted} more match. Narrow by form, strength, brand or pack, or{' '}
          <Link to={moreHref} preventScrollReset replace className="text-link">
            show more
          </Link>
          .
        </p>
      ) : null}
    </fieldset>
  )
}

type VariantOptionProps = {
  variant: ListedOffer
  saving: Saving | undefined
  checked: boolean
  focused: boolean
  onSelect: (id: string) => void
}

/**
 * Memoized: otherwise dozens of options would re-render with every change of the form and the
 * router.
 */
const VariantOption = memo(function VariantOption({
  variant,
  saving,
  checked,
  focused,
  onSelect,
}: VariantOptionProps) {
  const id = `variant-${variant.id}`
  const unitPrice = unitPriceLabel(variant)
  return (
    <li className="relative flex items-start gap-x-3 px-4 py-3 not-has-checked:hover:bg-base-200 has-checked:bg-primary/10 has-checked:shadow-[inset_3px_0_var(--color-primary)] max-sm:flex-wrap">
      <input
        type="radio"
        className="radio relative z-10 mt-0.5"
        id={id}
        name="variantId"
        value={variant.id}
        required
        checked={checked}
        // Without scripts, the browser shows the first option that the message is about.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={focused}
        onChange={() => onSelect(variant.id)}
        aria-labelledby={`${id}-name ${id}-price`}
        aria-describedby={`${id}-facts`}
      />
      <label
        htmlFor={id}
        className="min-w-0 flex-1 cursor-pointer after:absolute after:inset-0 max-sm:basis-3/4"
      >
        <span id={`${id}-name`} className="block">
          <span className="font-semibold">{brandLabel(variant)}</span>
          {strengthLabel(variant) ? <span>&nbsp;· {strengthLabel(variant)}</span> : null}
          <span>
            {'\u00a0· '}
            <Pack variant={variant} />
          </span>
        </span>
        <span id={`${id}-facts`} className="block text-sm text-muted">
          {variant.inStock ? stockLabel(variant) : <strong className="text-error">Out of Stock</strong>}
          {[formLabel(variant), variant.manufacturerName, marketOf(variant), variant.note]
            .filter(Boolean)
            // A line never starts with a dot.
            .map((fact) => `\u00a0· ${fact}`)}
          {saving ? (
            <strong className="block font-medium text-success">
              Save {saving.percent}% with the generic
            </strong>
          ) : null}
        </span>
      </label>
      {/* On a phone, below the name. */}
      <span className="flex-none text-end max-sm:ps-9 max-sm:mt-1 max-sm:flex max-sm:w-full max-sm:items-baseline max-sm:gap-2">
        <span id={`${id}-price`} className="block font-semibold">
          <Price min={variant.price} />
        </span>
        {unitPrice ? <span className="block text-sm text-muted tabular-nums">{unitPrice}</span> : null}
      </span>
    </li>
  )
})
