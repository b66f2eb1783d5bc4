import { adminPaths } from '#domain/admin-paths.ts'
import { Form } from 'react-router'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'

type Choice = { value: string; label: string }
type AuditFiltersProps = {
  params: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  staff: readonly { id: string; name: string }[]
  choices: { groups: readonly Choice[]; actions: readonly Choice[] }
  shop: string
  page: { from: string | null; accountName: string | null } | null
}

/** The filters of the audit log, as a form that works without scripts. */
export function AuditFilters({ params, errors, staff, choices, shop, page }: AuditFiltersProps) {
  const { who = '', about = '' } = params
  const options = (list: readonly Choice[]) =>
    list.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))
  return (
    // The fields show what was looked up, also after going back.
    <Form
      key={JSON.stringify(params)}
      method="get"
      action={adminPaths.audit}
      role="search"
      aria-label="Audit log"
      className="mb-4 grid max-w-5xl items-start gap-3 sm:grid-cols-2 lg:grid-cols-4"
    >
      <SelectField label="Staff" name="who" defaultValue={who} error={errors['who']}>
        <option value="">Anyone</option>
        {staff.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {who === '' || staff.some(({ id }) => id === who) ? null : (
          <option value={who}>Not on the staff today</option>
        )}
      </SelectField>
      <SelectField label="Action" name="action" defaultValue={params['action']} error={errors['action']}>
        <option value="">Any action</option>
        <optgroup label="Groups">{options(choices.groups)}</optgroup>
        <optgroup label="One action">{options(choices.actions)}</optgroup>
      </SelectField>
      <Field
        label="From"
        name="from"
        type="date"
        defaultValue={params['from'] || page?.from || ''}
        error={errors['from']}
      />
      <Field label="To" name="to" type="date" defaultValue={params['to']} error={errors['to']} />
      {about === '' ? null : (
        <SelectField
          label="About"
          name="about"
          defaultValue={about}
          error={errors['about']}
          className="sm:col-span-2"
        >
          <option value={about}>{about === shop ? 'The shop' : (page?.accountName ?? about)}</option>
          <option value="">Everyone</option>
        </SelectField>
      )}
      <p className="flex flex-wrap gap-2 self-end">
        <Button kind="primary">Show</Button>
        <LinkButton kind="quiet" to={adminPaths.audit}>
          Reset
        </LinkButton>
      </p>
    </Form>
  )
}
