import { createContext, use, type ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field } from '../../../ui/Field.tsx'

/** What the forms of one page know without being told each. */
export const SecurityContext = createContext<{ refused: FormFailure | null; email: string }>({
  refused: null,
  email: '',
})

/** The refusal of this form, if it is the one that was posted. */
const useRefusal = (intent: string): FormFailure | null => {
  const { refused } = use(SecurityContext)
  return refused?.intent === intent ? refused : null
}

/** One subject of the page. */
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
  submit: ReactNode
  /** The button's words while it is on its way. */
  sending: string
  kind?: 'primary' | 'secondary' | 'quiet'
  hidden?: Record<string, string>
  className?: string
  children?: ReactNode
}

/** A form of this page with its summary of errors and its one button. A second press while one is on its way sends nothing. */
export function SecurityForm({
  intent,
  submit,
  sending,
  kind = 'secondary',
  hidden = {},
  className = 'space-y-5',
  children,
}: SecurityFormProps) {
  const navigation = useNavigation()
  const refused = useRefusal(intent)
  const { email } = use(SecurityContext)
  const isOwn = navigation.formData?.get('intent') === intent && holds(navigation.formData, hidden)
  const fields = Object.entries(refused?.fields ?? {})
  return (
    <Form
      method="post"
      action="/account/security"
      noValidate
      className={className}
      onSubmit={(event) => {
        if (navigation.state !== 'idle') event.preventDefault()
      }}
    >
      {refused ? (
        <ErrorSummary
          title={fields.length > 0 ? 'Nothing was changed yet' : (refused.message ?? 'Nothing was changed')}
          fields={Object.fromEntries(fields.map(([name, sentence]) => [`${intent}-${name}`, sentence]))}
        />
      ) : null}
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {/* Tells a password manager whose password it is. */}
      {children ? <input type="text" autoComplete="username" defaultValue={email} hidden /> : null}
      {children}
      <Button kind={kind} aria-disabled={isOwn || undefined}>
        {isOwn ? sending : submit}
      </Button>
    </Form>
  )
}

const holds = (form: FormData | undefined, hidden: Record<string, string>): boolean =>
  Object.entries(hidden).every(([name, value]) => form?.get(name) === value)

type SecurityFieldProps = {
  intent: string
  name: string
  label: string
  hint?: ReactNode
  type?: string
  autoComplete: string
}

/** A field of such a form; its id names the form too, for several ask for the same. */
export function SecurityField({ intent, name, ...field }: SecurityFieldProps) {
  const refused = useRefusal(intent)
  return (
    <Field
      {...field}
      id={`${intent}-${name}`}
      name={name}
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={refused?.values[name]}
      error={refused?.fields[name]}
    />
  )
}

/** What proves whose session this is: the password, or a code where the account has no password and a second factor. */
export function ProofField({
  intent,
  hasPassword,
  hasSecondFactor,
}: {
  intent: string
  hasPassword: boolean
  hasSecondFactor: boolean
}) {
  if (hasPassword) {
    return (
      <SecurityField
        intent={intent}
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
    )
  }
  if (!hasSecondFactor) return null
  return (
    <SecurityField
      intent={intent}
      name="code"
      label="Code"
      autoComplete="one-time-code"
      hint="From your authenticator app."
    />
  )
}

/** A form that one has to ask for; open when it was refused. */
export const OpenedForm = ({
  intent,
  summary,
  children,
}: {
  intent: string
  summary: string
  children: ReactNode
}) => {
  const refused = useRefusal(intent)
  return (
    <Disclosure summary={summary} open={refused !== null} className="border-t border-line pt-2 last:-mb-2">
      <div className="max-w-md pt-3 pb-4">{children}</div>
    </Disclosure>
  )
}
