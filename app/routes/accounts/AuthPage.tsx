import type { ComponentProps, ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field } from '../../ui/Field.tsx'

type AuthPageProps = {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** Below the card: where else one may want to go. */
  besides?: ReactNode
}

/** The frame of the pages that sign in: one column, one card, one thing to do. */
export const AuthPage = ({ title, lead, children, besides }: AuthPageProps) => (
  <div className="page max-w-md py-10 sm:py-14">
    <h1 className="text-2xl">{title}</h1>
    {lead ? <div className="mt-2 text-pretty text-muted">{lead}</div> : null}
    <div className="card mt-6 p-5 sm:p-7">{children}</div>
    {besides ? <div className="mt-3">{besides}</div> : null}
  </div>
)

type AuthFormProps = {
  action: string
  refused: FormFailure | null
  /** What is said above the fields when several are wrong. */
  problem: string
  submit: string
  sending: string
  hidden?: Record<string, string>
  children?: ReactNode
}

/** A form with its summary of errors and its one button. A second press while the first is on its way sends nothing. */
export function AuthForm({
  action,
  refused,
  problem,
  submit,
  sending,
  hidden = {},
  children,
}: AuthFormProps) {
  const isSending = useNavigation().state !== 'idle'
  const fields = refused?.fields ?? {}
  return (
    <Form
      method="post"
      action={action}
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        if (isSending) event.preventDefault()
      }}
    >
      {refused ? (
        <ErrorSummary
          title={Object.keys(fields).length > 0 ? problem : (refused.message ?? problem)}
          fields={fields}
        />
      ) : null}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button kind="primary" className="w-full" aria-disabled={isSending || undefined}>
        {isSending ? sending : submit}
      </Button>
    </Form>
  )
}

type AuthFieldProps = Omit<ComponentProps<typeof Field>, 'id' | 'name'> & { refused: FormFailure | null }

/** The e-mail address, by which one signs in. */
export const EmailField = ({ refused, label = 'Email', ...rest }: Partial<AuthFieldProps>) => (
  <Field
    id="email"
    name="email"
    type="email"
    label={label}
    autoComplete="username"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
    defaultValue={refused?.values['email']}
    error={refused?.fields['email']}
    {...rest}
  />
)

/** A password that is to be set. */
export const NewPasswordField = ({ refused, label = 'Password' }: Partial<AuthFieldProps>) => (
  <Field
    id="password"
    name="password"
    type="password"
    label={label}
    autoComplete="new-password"
    error={refused?.fields['password']}
    hint="12 characters or more. A few words in a row are good and easy to remember."
  />
)

/** The query that brings along where signing in leads. */
export const withReturnTo = (path: string, returnTo: string): string =>
  returnTo === '/' ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`
