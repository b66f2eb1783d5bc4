import type { PersonalData } from '#domain/accounts/profile-fields.ts'
import { paths } from '#domain/paths.ts'
import { useState, type ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { SignInAgain } from '../../components/SignInAgain.tsx'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field } from '../../ui/Field.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { BodyFields, HealthTexts, type FieldControl } from './PersonFields.tsx'
import { useSavedFocus } from './use-saved-form.ts'

type ProfileFormProps = {
  person: PersonalData & { id: string }
  /** From `fingerprintPerson`. */
  loaded: string
  /** Whether this page has saved it: the form starts again and focuses its button. */
  isSaved: boolean
  /** Whether the stored billing address is the shipping address. */
  isBillingSame: boolean
  /** `YYYY-MM-DD`. */
  today: string
  failure: FormFailure | null
}

/**
 * The customer's profile in one form. CSS shows the billing address depending on the checkbox, so
 * it works without JavaScript.
 */
export function ProfileForm({ person, loaded, isSaved, isBillingSame, today, failure }: ProfileFormProps) {
  const { formAction, state } = useNavigation()
  const isSaving = state !== 'idle' && formAction !== undefined
  // Matches the fields, which keep their first values when the loader's data changes.
  const [shown] = useState(loaded)
  const button = useSavedFocus(isSaved)
  const submitted = failure && Object.keys(failure.values).length > 0 ? failure.values : null
  /** A field's value and error. Its id is its name, which the error summary links to. */
  const control: FieldControl = (name, stored) => ({
    id: name,
    name,
    defaultValue: submitted?.[name] ?? stored ?? '',
    error: failure?.fields[name],
  })
  return (
    <PostForm
      action={paths.profile}
      preventScrollReset
      className="group/profile grid gap-6"
      onSubmit={(event) => {
        if (reportUnreadableInput(event.currentTarget)) event.preventDefault()
      }}
    >
      {failure ? <FormErrors failure={failure} /> : null}
      <input type="hidden" name="userId" value={submitted?.['userId'] ?? person.id} />
      <input type="hidden" name="loaded" value={submitted?.['loaded'] ?? shown} />
      <Group id="personal-information" title="Personal Information">
        <Field label="First name" autoComplete="given-name" {...control('firstName', person.firstName)} />
        <Field label="Last name" autoComplete="family-name" {...control('lastName', person.lastName)} />
        <BodyFields control={control} person={person} today={today} isSelf />
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
        <HealthTexts control={control} person={person} />
      </Group>
      <Group id="shipping-address" title="Shipping Address">
        <AddressFields side="shipping" person={person} control={control} />
        <label className="flex min-h-11 items-center gap-3 sm:col-span-2">
          <input
            type="checkbox"
            name="billingSameAsShipping"
            defaultChecked={submitted ? 'billingSameAsShipping' in submitted : isBillingSame}
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
        ref={button}
        className="w-full sm:w-auto sm:min-w-48 sm:justify-self-start"
        aria-disabled={isSaving || undefined}
      >
        Update Profile
      </Button>
    </PostForm>
  )
}

/**
 * The browser submits a half-typed date or "1-2" in a number field as empty, which would clear the
 * stored value. Shows the browser's own message at the first such field. Returns whether there is
 * one.
 */
function reportUnreadableInput(form: HTMLFormElement): boolean {
  const unreadable = Array.from(form.querySelectorAll('input')).find(({ validity }) => validity.badInput)
  unreadable?.reportValidity()
  return unreadable !== undefined
}

/**
 * The error summary above the form. With JavaScript a toast reports the failure; without it, this
 * does.
 */
function FormErrors({ failure: { message, fields, isSignedOut } }: { failure: FormFailure }) {
  const hydrated = useHydrated()
  const hasFieldErrors = Object.keys(fields).length > 0
  const reason = hasFieldErrors
    ? 'Your profile hasn’t been saved yet'
    : (message ?? 'Your profile wasn’t saved')
  const title = hydrated ? reason : `Update Failed. Failed to update profile: ${message ?? 'see below'}`
  return (
    <ErrorSummary title={title} fields={fields}>
      {isSignedOut ? <SignInAgain /> : null}
    </ErrorSummary>
  )
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
  control: FieldControl
}

/** An address's five fields, under their longer wire names. */
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
