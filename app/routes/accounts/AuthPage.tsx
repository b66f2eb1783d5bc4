import type { ComponentProps, ReactNode } from 'react'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field } from '../../ui/Field.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { passwordHint } from './password-hint.ts'

type AuthPageProps = {
  title: string
  intro?: ReactNode
  children: ReactNode
  /** Below the card: links to related pages. */
  footer?: ReactNode
}

/** The layout of the sign-in pages: one column with one card. */
export const AuthPage = ({ title, intro, children, footer }: AuthPageProps) => (
  <div className="page max-w-md py-10 sm:py-14">
    <h1 className="text-2xl">{title}</h1>
    {intro ? <div className="mt-2 text-pretty text-muted">{intro}</div> : null}
    <div className="card mt-6 p-5 sm:p-7">{children}</div>
    {footer ? <div className="mt-3">{footer}</div> : null}
  </div>
)

type AuthFormProps = {
  action: string
  failure: FormFailure | null
  /** The title of the error summary when fields are invalid. */
  errorTitle: string
  submitLabel: string
  pendingLabel: string
  hidden?: Record<string, string>
  children?: ReactNode
}

/** A form with an error summary and one button. */
export function AuthForm({
  action,
  failure,
  errorTitle,
  submitLabel,
  pendingLabel,
  hidden = {},
  children,
}: AuthFormProps) {
  const isSending = useNavigation().state !== 'idle'
  const fields = failure?.fields ?? {}
  return (
    <PostForm action={action} className="space-y-5">
      {failure ? (
        <ErrorSummary
          title={Object.keys(fields).length > 0 ? errorTitle : (failure.message ?? errorTitle)}
          fields={fields}
        />
      ) : null}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button kind="primary" className="w-full" aria-disabled={isSending || undefined}>
        {isSending ? pendingLabel : submitLabel}
      </Button>
    </PostForm>
  )
}

type AuthFieldProps = Omit<ComponentProps<typeof Field>, 'id' | 'name'> & { failure: FormFailure | null }

/** The email address that signs the user in. */
export const EmailField = ({ failure, label = 'Email', ...rest }: Partial<AuthFieldProps>) => (
  <Field
    id="email"
    name="email"
    type="email"
    label={label}
    autoComplete="username"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
    defaultValue={failure?.values['email']}
    error={failure?.fields['email']}
    {...rest}
  />
)

/** A new password. */
export const NewPasswordField = ({ failure, label = 'Password' }: Partial<AuthFieldProps>) => (
  <Field
    id="password"
    name="password"
    type="password"
    label={label}
    autoComplete="new-password"
    error={failure?.fields['password']}
    hint={passwordHint}
  />
)

/** Adds the page to return to after signing in. */
export const withReturnTo = (path: string, returnTo: string): string =>
  returnTo === '/' ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`
