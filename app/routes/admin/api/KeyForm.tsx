import { permissionTable } from '#domain/accounts/permissions.ts'
import { keyDays, permissionFields } from '#domain/api-keys/key-input.ts'
import { orderAccesses, type OrderAccess } from '#domain/api-keys/key-permissions.ts'
import { useNavigation } from 'react-router'
import { CodeField } from '../../../components/CodeField.tsx'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'

type KeyFormProps = { id: string; needsCode: boolean; failure: FormFailure | null }

export const KeyForm = ({ id, needsCode, failure }: KeyFormProps) => (
  <PostForm className="card grid max-w-3xl gap-4 p-4">
    <input type="hidden" name="intent" value="create" />
    <input type="hidden" name="id" value={id} />
    {failure ? <Alert kind="error" title={failure.message ?? 'Nothing has changed yet'} /> : null}
    <Field
      label="Name"
      name="name"
      maxLength={80}
      autoComplete="off"
      hint="The machine or program that will use it."
      defaultValue={failure?.values['name']}
      error={failure?.fields['name']}
    />
    <Permissions failure={failure} />
    <SelectField
      label="Orders"
      name="orders"
      hint="Prescription medicines are not named. A key for orders has no other permission."
      defaultValue={failure?.values['orders'] ?? ''}
      error={failure?.fields['orders']}
    >
      <option value="">No access</option>
      {orderAccesses.map((access) => (
        <option key={access} value={access}>
          {accessLabels[access]}
        </option>
      ))}
    </SelectField>
    <SelectField
      label="Expires"
      name="days"
      defaultValue={failure?.values['days'] ?? '90'}
      error={failure?.fields['days']}
    >
      {keyDays.map((days) => (
        <option key={days} value={days}>
          {`In ${days} days`}
        </option>
      ))}
    </SelectField>
    {needsCode ? <CodeField error={failure?.fields['code']} /> : null}
    <Button
      kind="primary"
      className="justify-self-start"
      // A second press would replace the page's only view of the secret.
      disabled={useNavigation().state !== 'idle'}
    >
      Create API key
    </Button>
  </PostForm>
)

const accessLabels: Record<OrderAccess, string> = {
  read: 'See orders',
  ship: 'See orders, set status and tracking',
}

function Permissions({ failure }: { failure: FormFailure | null }) {
  const error = failure?.fields['catalogWrite']
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? 'permissions-error' : undefined}>
      <legend className="mb-1 font-medium">Permissions</legend>
      {Object.entries(permissionFields).map(([field, permission]) => (
        <label key={field} className="flex items-center gap-2">
          <input
            type="checkbox"
            name={field}
            value="on"
            className="grid-check"
            defaultChecked={failure?.values[field] === 'on'}
          />
          {permissionTable[permission].label}
        </label>
      ))}
      {error ? (
        <p id="permissions-error" className="text-error">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
