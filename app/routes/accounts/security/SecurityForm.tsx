import { paths } from '#domain/paths.ts'
import { createContext, use, type ReactNode } from 'react'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'

/** What the forms of the page share. */
export const SecurityContext = createContext<{ failure: FormFailure | null; email: string }>({
  failure: null,
  email: '',
})

/** The failure of this form, if it is the one that was submitted. */
const useFailure = (intent: string): FormFailure | null => {
  const { failure } = use(SecurityContext)
  return failure?.intent === intent ? failure : null
}

/** A card of the page. */
export const SecurityCard = ({
  id,
  icon,
  title,
  badge,
  children,
}: {
  id: string
  icon: ReactNode
  title: string
  badge?: ReactNode
  children: ReactNode
}) => (
  <section aria-labelledby={id} className="card p-5 sm:p-7">
    <div className="flex flex-wrap items-center gap-3">
      <span className="tile size-9 flex-none rounded-full text-primary">{icon}</span>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {badge}
    </div>
    <div className="mt-4 space-y-4">{children}</div>
  </section>
)

type SecurityFormProps = {
  intent: string
  submitLabel: ReactNode
  /** The button's label while the form is pending. */
  pendingLabel: string
  kind?: 'primary' | 'secondary' | 'quiet'
  hidden?: Record<string, string>
  className?: string
  children?: ReactNode
}

/** A form of this page with an error summary and one button. */
export function SecurityForm({
  intent,
  submitLabel,
  pendingLabel,
  kind = 'secondary',
  hidden = {},
  className = 'space-y-5',
  children,
}: SecurityFormProps) {
  const navigation = useNavigation()
  const failure = useFailure(intent)
  const { email } = use(SecurityContext)
  const isPending = navigation.formData?.get('intent') === intent && hasValues(navigation.formData, hidden)
  const fields = Object.entries(failure?.fields ?? {})
  return (
    <PostForm action={paths.account.security} className={className}>
      {failure ? (
        <ErrorSummary
          title={fields.length > 0 ? 'Nothing has changed yet' : (failure.message ?? 'Nothing has changed')}
          fields={Object.fromEntries(fields.map(([name, message]) => [`${intent}-${name}`, message]))}
        />
      ) : null}
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {/* Tells password managers which account the password belongs to. */}
      {children ? <input type="text" autoComplete="username" defaultValue={email} hidden /> : null}
      {children}
      <Button kind={kind} aria-disabled={isPending || undefined}>
        {isPending ? pendingLabel : submitLabel}
      </Button>
    </PostForm>
  )
}

const hasValues = (form: FormData | undefined, hidden: Record<string, string>): boolean =>
  Object.entries(hidden).every(([name, value]) => form?.get(name) === value)

type SecurityFieldProps = {
  intent: string
  name: string
  label: string
  hint?: ReactNode
  type?: string
  autoComplete: string
}

/**
 * A field of such a form. Its id includes the form's intent, because several forms have the same
 * fields.
 */
export function SecurityField({ intent, name, ...field }: SecurityFieldProps) {
  const failure = useFailure(intent)
  return (
    <Field
      {...field}
      id={`${intent}-${name}`}
      name={name}
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={failure?.values[name]}
      error={failure?.fields[name]}
    />
  )
}

/** Verifies the account's owner: the password if there is one, and a code if the form needs one. */
export function ProofFields({
  intent,
  hasPassword,
  needsCode,
}: {
  intent: string
  hasPassword: boolean
  needsCode: boolean
}) {
  return (
    <>
      {hasPassword ? (
        <SecurityField
          intent={intent}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
      ) : null}
      {needsCode ? (
        <SecurityField
          intent={intent}
          name="code"
          label="Code"
          autoComplete="one-time-code"
          hint="From your authenticator app, or a recovery code."
        />
      ) : null}
    </>
  )
}

/** A collapsed form; open after it failed. */
export const FormDisclosure = ({
  intent,
  summary,
  children,
}: {
  intent: string
  summary: string
  children: ReactNode
}) => {
  const failure = useFailure(intent)
  return (
    <Disclosure summary={summary} open={failure !== null} className="border-t border-line pt-2 last:-mb-2">
      <div className="max-w-md pt-3 pb-4">{children}</div>
    </Disclosure>
  )
}
