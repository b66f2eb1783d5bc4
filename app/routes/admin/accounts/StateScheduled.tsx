import { usStates } from '#domain/accounts/jurisdictions.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { settingLabels } from '#domain/settings/setting-labels.ts'
import type { StateScheduledDrug } from '#domain/settings/settings.ts'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { CodeField } from '../../../components/CodeField.tsx'

type StateScheduledProps = {
  drugs: readonly StateScheduledDrug[]
  needsCode: boolean
  failure: FormFailure | null
}

/** The list of drugs that only a state schedules. Pharmacists see it beside the order. */
export function StateScheduled({ drugs, needsCode, failure }: StateScheduledProps) {
  const isAdding = useNavigation().formData?.get('intent') === 'add-drug'
  const added = failure?.intent === 'add-drug' ? failure : null
  const fields = Object.fromEntries(
    Object.entries(failure?.fields ?? {}).map(([name, message]) => [`drug-${name}`, message]),
  )
  return (
    <section aria-labelledby="state-scheduled">
      <h2 id="state-scheduled" className="mb-1">
        {settingLabels.stateScheduled}
      </h2>
      <p className="mb-3 text-muted">
        Drugs that are controlled under state law but not under federal law. Pharmacists see the states next
        to each line that contains the ingredient, in any salt form. Your pharmacist in charge keeps this
        list.
      </p>
      <PostForm action={adminPaths.shopSettings} className="card mb-3 grid gap-4 p-4 sm:grid-cols-2">
        {failure ? (
          <div className="sm:col-span-2">
            <ErrorSummary
              title={
                Object.keys(fields).length > 0
                  ? 'The list hasn’t changed yet'
                  : (failure.message ?? 'The list hasn’t changed')
              }
              fields={fields}
            />
          </div>
        ) : null}
        <input type="hidden" name="intent" value="add-drug" />
        <Field
          id="drug-ingredient"
          name="ingredient"
          label="Ingredient"
          hint="Without the salt, as in the catalog."
          autoComplete="off"
          defaultValue={added?.values['ingredient']}
          error={added?.fields['ingredient']}
        />
        <Field
          id="drug-states"
          name="states"
          label="States"
          hint="Postal codes, separated by commas."
          autoComplete="off"
          defaultValue={added?.values['states']}
          error={added?.fields['states']}
        />
        {needsCode ? <CodeField id="drug-code" error={failure?.fields['code']} /> : null}
        <div className="sm:col-span-2">
          <Button aria-disabled={isAdding || undefined}>{isAdding ? 'Adding…' : 'Add to the list'}</Button>
        </div>
      </PostForm>
      {drugs.length === 0 ? (
        <p className="card p-4 text-muted">No drugs on the list.</p>
      ) : (
        <div className="data-grid">
          <table aria-label={settingLabels.stateScheduled}>
            <thead>
              <tr>
                <th scope="col">Ingredient</th>
                <th scope="col">State</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {drugs.map((drug) => (
                <tr key={`${drug.ingredient} ${drug.state}`}>
                  <td>{drug.ingredient}</td>
                  <td>{usStates[drug.state] ?? drug.state}</td>
                  <td>
                    <RemoveDrug drug={drug} needsCode={needsCode} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const RemoveDrug = ({ drug, needsCode }: { drug: StateScheduledDrug; needsCode: boolean }) => (
  <PostForm action={adminPaths.shopSettings} className="flex flex-wrap items-center gap-2">
    <input type="hidden" name="intent" value="remove-drug" />
    <input type="hidden" name="ingredient" value={drug.ingredient} />
    <input type="hidden" name="state" value={drug.state} />
    {needsCode ? (
      <input
        name="code"
        className="input w-28"
        aria-label={`Code to remove ${drug.ingredient} in ${drug.state}`}
        placeholder="Code"
        autoComplete="one-time-code"
      />
    ) : null}
    <Button kind="quiet" aria-label={`Remove ${drug.ingredient} in ${usStates[drug.state] ?? drug.state}`}>
      Remove
    </Button>
  </PostForm>
)
