import { jurisdictions } from '#domain/accounts/jurisdictions.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { RecordedLicense } from '#server/accounts/pharmacist-license.ts'
import { secondChecksNote, type SecondChecks } from '#domain/settings/second-checks.ts'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { AdminCard } from '../orders/AdminCard.tsx'
import { CodeField } from '../../../components/CodeField.tsx'
import { failureTitle } from './failure-title.ts'

type LicenseCardProps = {
  userId: string
  isSelf: boolean
  current: RecordedLicense | null
  needsCode: boolean
  secondChecks: SecondChecks | null
  failure: FormFailure | null
}

/** A pharmacist's license to practice, without which they clear no prescription line. */
export function LicenseCard({ userId, isSelf, current, needsCode, secondChecks, failure }: LicenseCardProps) {
  const pending = useNavigation().formData?.get('intent')
  const { values = {}, fields = {} } = failure ?? {}
  const path = adminPaths.user(userId)
  return (
    <div className="mt-4">
      <AdminCard title="Pharmacist license">
        <p className="mb-3">
          {current ? (
            <>
              <b>{current.number}</b>, {jurisdictions[current.jurisdiction] ?? current.jurisdiction}. Recorded
              by {current.recordedBy} on <DateTime at={current.recordedAt} />.
            </>
          ) : (
            'No license recorded. Without one, this pharmacist can’t clear prescription lines.'
          )}
        </p>
        {isSelf ? (
          <p className="text-muted">Another admin records your license.</p>
        ) : (
          <>
            <PostForm action={path} className="grid gap-4 sm:grid-cols-2">
              {failure ? (
                <div className="sm:col-span-2">
                  <ErrorSummary title={failureTitle(failure)} fields={fields} />
                </div>
              ) : null}
              <input type="hidden" name="numberBefore" value={current?.number ?? ''} />
              <input type="hidden" name="jurisdictionBefore" value={current?.jurisdiction ?? ''} />
              <Field
                id="number"
                name="number"
                label="License number"
                autoComplete="off"
                spellCheck={false}
                defaultValue={values['number'] ?? current?.number}
                error={fields['number']}
              />
              <SelectField
                id="jurisdiction"
                name="jurisdiction"
                label="State or province"
                defaultValue={values['jurisdiction'] ?? current?.jurisdiction ?? ''}
                error={fields['jurisdiction']}
              >
                <option value="">Choose…</option>
                {Object.entries(jurisdictions).map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </SelectField>
              {current && secondChecks ? (
                <ConfirmRemoval
                  secondChecks={secondChecks}
                  isConfirmed={values['isConfirmed'] !== undefined}
                  error={fields['isConfirmed']}
                />
              ) : null}
              {needsCode ? <CodeField id="code" error={fields['code']} /> : null}
              <div className="flex flex-wrap gap-3 sm:col-span-2">
                <Button name="intent" value="record-license" aria-disabled={pending ? true : undefined}>
                  {current ? 'Change license' : 'Record license'}
                </Button>
                {current ? (
                  <Button kind="quiet" name="intent" value="remove-license">
                    Remove license
                  </Button>
                ) : null}
              </div>
            </PostForm>
          </>
        )}
      </AdminCard>
    </div>
  )
}

/** What removing the license does in a shop that requires a second check. */
const ConfirmRemoval = ({
  secondChecks,
  isConfirmed,
  error,
}: {
  secondChecks: SecondChecks
  isConfirmed: boolean
  error: string | undefined
}) => (
  <div className="sm:col-span-2">
    <p>{secondChecksNote(secondChecks)}</p>
    <label className="flex min-h-9 items-center gap-2">
      <input
        id="isConfirmed"
        type="checkbox"
        name="isConfirmed"
        className="grid-check"
        defaultChecked={isConfirmed}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'isConfirmed-error' : undefined}
      />
      Remove the license even if prescription orders stop shipping
    </label>
    {error ? (
      <p id="isConfirmed-error" className="mt-1 text-sm font-medium text-error">
        {error}
      </p>
    ) : null}
  </div>
)
