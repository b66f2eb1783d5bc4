import { deletionSchema } from '#domain/accounts/account-security.ts'
import { deleteOwnAccount } from '#server/accounts/delete-user.ts'
import { readSecurity } from '#server/accounts/get-security-settings.ts'
import { sessionRulesOf } from '#server/accounts/session-rules.ts'
import { Form, redirect, useNavigation } from 'react-router'
import { clearSessionHeader, flashHeader } from '../../http/cookies.server.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { signedInOrLed } from '../../http/require-signed-in.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field } from '../../ui/Field.tsx'
import { Link } from '../../ui/Link.tsx'
import type { Route } from './+types/delete-account'
import { AccountPage } from './AccountPage.tsx'

const path = '/account/delete'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { email, isAdmin } = signedInOrLed(args, path)
  const { ctx, env } = args.context.get(requestContext)
  const { hasPassword, secondFactor } = await readSecurity(ctx, sessionRulesOf(env))
  return { email, isAdmin, hasPassword, asksForCode: !hasPassword && secondFactor.state === 'on' }
})

export const action = async (args: Route.ActionArgs) => {
  signedInOrLed(args, path)
  const { ctx, env } = args.context.get(requestContext)
  return formAction(await readForm(args.request), deletionSchema, async (proof) => {
    await deleteOwnAccount(ctx, proof)
    const headers = new Headers()
    headers.append('Set-Cookie', await clearSessionHeader(env))
    const flash = await flashHeader(
      { kind: 'success', title: 'Account Deleted', text: 'Your account is gone, and its key is destroyed.' },
      env,
    )
    headers.append('Set-Cookie', flash)
    return redirect('/', { status: 303, headers })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { retryHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Delete your account',
    description: 'Delete your Meridian account and everything in it, for good.',
    noindex: true,
  })

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isAdmin } = loaderData
  return (
    <AccountPage title="Delete your account" lead={`This deletes the account of ${email}, for good.`}>
      <div className="grid max-w-2xl gap-6">
        <section aria-labelledby="what" className="card p-5 sm:p-7">
          <h2 id="what" className="text-lg">
            What happens
          </h2>
          <ul className="mt-3 list-disc space-y-2 ps-5">
            <li>
              Your profile, addresses, prescriptions and ID document are deleted, and you are signed out
              everywhere.
            </li>
            <li>
              The key that sealed them is destroyed, so nobody can read what it sealed, ourselves included. We
              cannot undo it.
            </li>
            <li>
              Your orders leave every list. What the law asks us to keep of them stays sealed. An order that
              has not been shipped can no longer be cancelled afterwards:{' '}
              <Link to="/orders" className="text-link">
                cancel it first
              </Link>
              .
            </li>
            <li>The log of who looked at your data stays. It holds neither names nor values.</li>
          </ul>
          <p className="mt-4">
            You may want to{' '}
            <Link to="/account/activity#download" className="text-link">
              download your data
            </Link>{' '}
            first.
          </p>
        </section>
        {isAdmin ? (
          <Alert kind="info" title="An administrator’s account cannot be deleted here">
            <p>Another administrator can take the role away, or delete the account.</p>
          </Alert>
        ) : (
          <DeletionForm {...loaderData} refused={actionData ?? null} />
        )}
      </div>
    </AccountPage>
  )
}

type DeletionFormProps = {
  email: string
  hasPassword: boolean
  asksForCode: boolean
  refused: FormFailure | null
}

/** Asks for what only the account's owner knows. A second press while the first is on its way sends nothing. */
function DeletionForm({ email, hasPassword, asksForCode, refused }: DeletionFormProps) {
  const { formAction: target, state } = useNavigation()
  const deleting = state !== 'idle' && target !== undefined
  const fields = refused?.fields ?? {}
  return (
    <Form
      method="post"
      action={path}
      noValidate
      className="card space-y-5 p-5 sm:p-7"
      onSubmit={(event) => {
        if (deleting) event.preventDefault()
      }}
    >
      {refused ? (
        <ErrorSummary
          title={
            Object.keys(fields).length > 0
              ? 'Nothing was deleted yet'
              : (refused.message ?? 'Nothing was deleted')
          }
          fields={fields}
        />
      ) : null}
      {hasPassword ? (
        <>
          {/* Tells a password manager whose password it is. */}
          <input type="text" autoComplete="username" defaultValue={email} hidden />
          <Field
            id="currentPassword"
            name="currentPassword"
            type="password"
            label="Password"
            autoComplete="current-password"
            error={fields['currentPassword']}
          />
        </>
      ) : (
        <Field
          id="email"
          name="email"
          type="email"
          label="Email"
          autoComplete="off"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          hint={`Type ${email} to confirm.`}
          defaultValue={refused?.values['email']}
          error={fields['email']}
        />
      )}
      {asksForCode ? (
        <Field
          id="code"
          name="code"
          label="Code"
          autoComplete="one-time-code"
          hint="From your authenticator app."
          error={fields['code']}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/account/activity">Cancel</LinkButton>
        <Button kind="danger" aria-disabled={deleting || undefined}>
          {deleting ? 'Deleting…' : 'Delete my account'}
        </Button>
      </div>
    </Form>
  )
}
