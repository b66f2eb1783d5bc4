import { addressLabels } from '#domain/accounts/address-labels.ts'
import type { Address } from '#domain/accounts/addresses.ts'
import { paths } from '#domain/paths.ts'
import type { RefObject } from 'react'
import { Field } from '../../ui/Field.tsx'
import { Link } from '../../render/Link.tsx'

type AddressFieldsProps = {
  address: Address
  addresses: readonly Address[]
  /** The warning when no pharmacy ships to the country; otherwise null. */
  warning: string | null
  /** The submitted values, if any. */
  values: Readonly<Record<string, string>> | null
  errors: Readonly<Record<string, string>>
  form: RefObject<HTMLFormElement | null>
}

const fields = [
  ['streetAddress', 'address-line1', 'col-span-6'],
  ['city', 'address-level2', 'col-span-6 sm:col-span-3'],
  ['stateProvince', 'address-level1', 'col-span-3'],
  ['zipCode', 'postal-code', 'col-span-3 sm:col-span-2'],
  ['country', 'country-name', 'col-span-6 sm:col-span-4'],
] as const

/** More addresses would need a search. */
const maxShown = 4

/** The shipping address, with known addresses to choose from. */
export function AddressFields({ address, addresses, warning, values, errors, form }: AddressFieldsProps) {
  return (
    <>
      {addresses.length > 1 ? <SavedAddresses addresses={addresses.slice(0, maxShown)} form={form} /> : null}
      <div className="grid grid-cols-6 gap-x-3 gap-y-5 sm:gap-x-5">
        {fields.map(([name, autoComplete, className]) => (
          <Field
            key={name}
            id={name}
            name={name}
            label={addressLabels[name]}
            className={className}
            autoComplete={`shipping ${autoComplete}`}
            required
            defaultValue={values ? (values[name] ?? '') : address[name]}
            hint={name === 'country' ? <DestinationWarning warning={warning} /> : null}
            error={errors[name]}
          />
        ))}
      </div>
    </>
  )
}

/** Screen readers announce it when it appears after the country changed. */
const DestinationWarning = ({ warning }: Pick<AddressFieldsProps, 'warning'>) => (
  <span role="status" className="font-medium text-warning">
    {warning}
  </span>
)

type SavedAddressesProps = { addresses: readonly Address[]; form: RefObject<HTMLFormElement | null> }

/** Each address fills the fields below; without scripts by reloading the page with it. */
const SavedAddresses = ({ addresses, form }: SavedAddressesProps) => (
  <div className="mb-5">
    <p id="known-addresses" className="font-medium">
      Use a previous address
    </p>
    <ul
      aria-labelledby="known-addresses"
      className="mt-1 divide-y divide-line rounded-field border border-line"
    >
      {addresses.map((address, index) => (
        <li key={JSON.stringify(address)}>
          <Link
            to={paths.checkoutWithAddress(index)}
            replace
            preventScrollReset
            className="flex min-h-11 flex-wrap items-center gap-x-3 px-3 py-2 hover:bg-base-200"
            onClick={(event) => {
              event.preventDefault()
              fillForm(form.current, address)
            }}
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              {address.streetAddress}, {address.city}{' '}
              <span className="text-muted">
                {[address.stateProvince, address.zipCode, address.country].filter(Boolean).join(' ')}
              </span>
            </span>
            <span className="text-link">Use</span>
          </Link>
        </li>
      ))}
    </ul>
  </div>
)

function fillForm(form: HTMLFormElement | null, address: Address): void {
  for (const [name] of fields) {
    const field = form?.elements.namedItem(name)
    if (!(field instanceof HTMLInputElement)) continue
    field.value = address[name]
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  form?.querySelector<HTMLInputElement>('#streetAddress')?.focus()
}
