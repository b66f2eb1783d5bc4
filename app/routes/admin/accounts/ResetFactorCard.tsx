import { maxAccessReason } from '#domain/accounts/account-access.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { CodeField } from '../../../components/CodeField.tsx'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { factorReset } from './user-labels.ts'
import { failureTitle } from './failure-title.ts'

type ResetFactorCardProps = {
  userId: string
  needsCode: boolean
  /** Why the last reset failed. */
  failure: FormFailure | null
}

/** Resets the two-step sign-in of a person who lost the phone and the recovery codes. */
export function ResetFactorCard({ userId, needsCode, failure }: ResetFactorCardProps) {
  const { values = {}, fields = {} } = failure ?? {}
  // The license form of the same page has a code as well.
  const fieldsById = Object.fromEntries(Object.entries(fields).map(([name, why]) => [`reset-${name}`, why]))
  return (
    <Disclosure summary={factorReset.action} open={failure !== null} className="card mt-4 px-4">
      <PostForm action={adminPaths.user(userId)} className="grid gap-4 pb-4">
        {failure ? <ErrorSummary title={failureTitle(failure)} fields={fieldsById} /> : null}
        <p>{factorReset.explanation}</p>
        <TextAreaField
          id="reset-reason"
          label={factorReset.reasonLabel}
          name="reason"
          rows={2}
          maxLength={maxAccessReason}
          hint={factorReset.reasonHint}
          defaultValue={values['reason']}
          error={fields['reason']}
        />
        {needsCode ? <CodeField id="reset-code" error={fields['code']} /> : null}
        <div>
          <Button kind="danger" name="intent" value={factorReset.intent}>
            {factorReset.action}
          </Button>
        </div>
      </PostForm>
    </Disclosure>
  )
}
