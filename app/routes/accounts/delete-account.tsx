import { isStaff } from '#domain/accounts/permissions.ts'
import { deletionSchema } from '#domain/accounts/account-security.ts'
import { paths } from '#domain/paths.ts'
import { deleteAccount } from '#server/privacy/delete-user.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { getSettings } from '#server/settings/get-settings.ts'
import { useNavigation } from 'react-router'
import { clearSessionHeader } from '../../http/cookies.server.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field } from '../../ui/Field.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/delete-account'
import { AccountPage } from './AccountPage.tsx'

const path = paths.account.delete

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { email, ...user } = requireSignedIn(args, path)
  const { ctx, env } = args.context.get(requestContext)
  const { hasPassword, secondFactor } = await getSecuritySettings(ctx, getSessionRules(env))
  return {
    email,
    isStaff: isStaff(user),
    hasPassword,
    needsCode: !hasPassword && secondFactor.state === 'on',
    recordYears: (await getSettings(ctx)).retentionYears,
  }
})

export const action = async (args: Route.ActionArgs) => {
  requireSignedIn(args, path)
  const { ctx, env } = args.context.get(requestContext)
  return formAction(await readForm(args.request), deletionSchema, async (proof) => {
    await deleteAccount(ctx, proof)
    const flash = {
      kind: 'success',
      title: 'Account Deleted',
      text: 'Your account and its encryption key are permanently deleted.',
    } as const
    return redirectWithToast(args, paths.home, flash, { cookie: await clearSessionHeader(env) })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Delete your account',
    description: 'Permanently delete your Meridian account and everything in it.',
    noindex: true,
  })

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isStaff, recordYears } = loaderData
  return (
    <AccountPage title="Delete your account" intro={`This permanently deletes the account ${email}.`}>
      <div className="grid max-w-2xl gap-6">
        <section aria-labelledby="what" className="card p-5 sm:p-7">
          <h2 id="what" className="text-lg">
            What happens
          </h2>
          <ul className="mt-3 list-disc space-y-2 ps-5">
            <li>
              Your profile, addresses, prescriptions and ID document are deleted, and you’re signed out
              everywhere. The next point has the one exception.
            </li>
            <li>
              If we shipped you prescription medicines, pharmacy law requires us to keep a record of them: the
              prescription you sent and what a pharmacist transcribed from it, the medicines and how much we
              dispensed, who cleared it and when, your messages with the pharmacy about it, your name and
              shipping address, and how it was shipped. We keep it for{' '}
              {recordYears === 1 ? '1 year' : `${recordYears} years`} from shipping, encrypted under a
              separate key, and then delete it. Only authorized staff can look it up, by order number, and we
              log every time they do.
            </li>
            <li>
              The key that encrypts the rest is destroyed, so no one can read that data again, including us.
              We can’t undo this.
            </li>
            <li>
              <Link to={paths.orders} className="text-link">
                Orders
              </Link>{' '}
              that haven’t shipped are cancelled and refunded. All your orders disappear from every list. We
              keep what the law requires, encrypted.
            </li>
            <li>The log of who viewed your data stays. It contains no names and no data.</li>
          </ul>
          <p className="mt-4">
            You may want to{' '}
            <Link to={paths.account.downloadSection} className="text-link">
              download your data
            </Link>{' '}
            first.
          </p>
        </section>
        {isStaff ? (
          <Alert kind="info" title="You can’t delete a staff account here">
            <p>Ask an admin to remove your role or delete your account.</p>
          </Alert>
        ) : (
          <DeletionForm {...loaderData} failure={actionData ?? null} />
        )}
      </div>
    </AccountPage>
  )
}

type DeletionFormProps = {
  email: string
  hasPassword: boolean
  needsCode: boolean
  failure: FormFailure | null
}

/** Verifies the account's owner. */
function DeletionForm({ email, hasPassword, needsCode, failure }: DeletionFormProps) {
  const { formAction: target, state } = useNavigation()
  const isDeleting = state !== 'idle' && target !== undefined
  const fields = failure?.fields ?? {}
  return (
    <PostForm action={path} className="card space-y-5 p-5 sm:p-7">
      {failure ? (
        <ErrorSummary
          title={
            Object.keys(fields).length > 0
              ? 'Nothing has been deleted yet'
              : (failure.message ?? 'Nothing was deleted')
          }
          fields={fields}
        />
      ) : null}
      {hasPassword ? (
        <>
          {/* Tells password managers which account the password belongs to. */}
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
          defaultValue={failure?.values['email']}
          error={fields['email']}
        />
      )}
      {needsCode ? (
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
        <LinkButton to={paths.account.activity}>Cancel</LinkButton>
        <Button kind="danger" aria-disabled={isDeleting || undefined}>
          {isDeleting ? 'Deleting…' : 'Delete my account'}
        </Button>
      </div>
    </PostForm>
  )
}
