import { genderLabels, maxWeight, type PersonalData } from '#domain/accounts/profile-fields.ts'
import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field, SelectField, TextAreaField } from '../../ui/Field.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'

type ProfileFormProps = {
  person: PersonalData
  /** Whether the stored bill goes where the parcel goes. */
  sameBilling: boolean
  /** `YYYY-MM-DD`. */
  today: string
  refused: FormFailure | null
}

/**
 * Everything that a customer says of themself, in one form. Whether the billing address shows is the box's own doing, by a style:
 * no script is needed. A second press while the first is on its way sends nothing.
 */
export function ProfileForm({ person, sameBilling, today, refused }: ProfileFormProps) {
  const { formAction, state } = useNavigation()
  const saving = state !== 'idle' && formAction !== undefined
  const typed = refused && Object.keys(refused.values).length > 0 ? refused.values : null
  /** What a field shows and which sentence describes it; its id is its name, to which the summary leads. */
  const control = (name: string, stored: string | number | null) => ({
    id: name,
    name,
    defaultValue: typed?.[name] ?? stored ?? '',
    error: refused?.fields[name],
  })
  return (
    <Form
      method="post"
      action="/profile"
      noValidate
      preventScrollReset
      className="group/profile grid gap-6"
      onSubmit={(event) => {
        if (saving || tellsOfUnread(event.currentTarget)) event.preventDefault()
      }}
    >
      {refused ? <Refused refused={refused} /> : null}
      <Group id="personal-information" title="Personal Information">
        <Field label="First name" autoComplete="given-name" {...control('firstName', person.firstName)} />
        <Field label="Last name" autoComplete="family-name" {...control('lastName', person.lastName)} />
        <SelectField label="Gender" autoComplete="sex" {...control('gender', person.gender)}>
          <option value="">Not stated</option>
          {Object.entries(genderLabels).map(([gender, label]) => (
            <option key={gender} value={gender}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field
          label="Date of birth"
          type="date"
          autoComplete="bday"
          min="1900-01-01"
          max={today}
          {...control('dateOfBirth', person.dateOfBirth)}
        />
        <Field
          label="Weight"
          type="number"
          inputMode="decimal"
          step="0.1"
          min="0.1"
          max={maxWeight}
          hint="In pounds (lb)"
          {...control('weight', person.weight)}
        />
        <div className="hidden sm:block" />
        <Field
          label="Cell phone"
          type="tel"
          autoComplete="mobile tel"
          hint="Necessary for SMS tracking"
          {...control('cellPhone', person.cellPhone)}
        />
        <Field
          label="Home phone"
          type="tel"
          autoComplete="home tel"
          {...control('homePhone', person.homePhone)}
        />
        <TextAreaField
          label="Current medications"
          className="sm:col-span-2"
          rows={3}
          {...control('currentMedications', person.currentMedications)}
        />
        <TextAreaField
          label="Allergies"
          className="sm:col-span-2"
          rows={3}
          {...control('allergies', person.allergies)}
        />
      </Group>
      <Group id="shipping-address" title="Shipping Address">
        <AddressFields side="shipping" person={person} control={control} />
        <label className="flex min-h-11 items-center gap-3 sm:col-span-2">
          <input
            type="checkbox"
            name="billingSameAsShipping"
            defaultChecked={typed ? 'billingSameAsShipping' in typed : sameBilling}
            className="size-5 flex-none accent-primary"
          />
          Billing address same as shipping address
        </label>
      </Group>
      <Group
        id="billing-address"
        title="Billing Address"
        className="group-has-[[name=billingSameAsShipping]:checked]/profile:hidden"
      >
        <AddressFields side="billing" person={person} control={control} />
      </Group>
      <Button
        kind="primary"
        className="w-full sm:w-auto sm:min-w-48 sm:justify-self-start"
        aria-disabled={saving || undefined}
      >
        Update Profile
      </Button>
    </Form>
  )
}

/**
 * Half a date or "1-2" for a number is sent as if nothing stood there, and what was stored would be emptied. The browser says so
 * at the field. Returns whether there is one.
 */
function tellsOfUnread(form: HTMLFormElement): boolean {
  const unread = Array.from(form.querySelectorAll('input')).find(({ validity }) => validity.badInput)
  unread?.reportValidity()
  return unread !== undefined
}

/** What is wrong, above the form. With scripts a toast tells that it failed; without, this does. */
function Refused({ refused: { message, fields } }: { refused: FormFailure }) {
  const hydrated = useHydrated()
  const wrong = Object.keys(fields).length > 0
  const reason = wrong ? 'Your profile was not saved yet' : (message ?? 'Your profile was not saved')
  const title = hydrated ? reason : `Update Failed. Failed to update profile: ${message ?? 'see below'}`
  return <ErrorSummary title={title} fields={fields} />
}

type GroupProps = { id: string; title: string; className?: string; children: ReactNode }

const Group = ({ id, title, className = '', children }: GroupProps) => (
  <fieldset aria-labelledby={id} className={`card min-w-0 p-5 sm:p-7 ${className}`}>
    <h2 id={id} className="mb-5 text-lg">
      {title}
    </h2>
    <div className="grid gap-5 sm:grid-cols-2">{children}</div>
  </fieldset>
)

type AddressFieldsProps = {
  side: 'shipping' | 'billing'
  person: PersonalData
  control: (name: string, stored: string | null) => object & { id: string }
}

/** The five lines of an address, by the longer of their names. */
const AddressFields = ({ side, person, control }: AddressFieldsProps) => (
  <>
    <Field
      label="Street"
      className="sm:col-span-2"
      autoComplete={`${side} address-line1`}
      {...control(`${side}StreetAddress`, person[`${side}Street`])}
    />
    <Field
      label="City"
      autoComplete={`${side} address-level2`}
      {...control(`${side}City`, person[`${side}City`])}
    />
    <Field
      label="State/Province"
      autoComplete={`${side} address-level1`}
      {...control(`${side}StateProvince`, person[`${side}State`])}
    />
    <Field
      label="Country"
      autoComplete={`${side} country-name`}
      {...control(`${side}Country`, person[`${side}Country`])}
    />
    <Field
      label="ZIP code"
      autoComplete={`${side} postal-code`}
      {...control(`${side}ZipCode`, person[`${side}Zip`])}
    />
  </>
)
