import { confirmEmailChange, findEmailChange } from '#server/accounts/change-email.ts'
import { emptySchema } from '#domain/accounts/account-security.ts'
import { paths } from '#domain/paths.ts'
import { formAction, readForm, getText } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { AuthForm, AuthPage } from './AuthPage.tsx'
import type { Route } from './+types/confirm-new-email'

const path = paths.account.confirmNewEmail

/**
 * Shows what the link would change. Only its button changes it, because email scanners open every
 * link.
 */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  requireSignedIn(args, `${path}?token=${encodeURIComponent(token)}`)
  const { ctx } = args.context.get(requestContext)
  return { token, email: await findEmailChange(ctx, token) }
})

export const action = async (args: Route.ActionArgs) => {
  const form = await readForm(args.request)
  const token = getText(form, 'token') ?? ''
  requireSignedIn(args, `${path}?token=${encodeURIComponent(token)}`)
  return formAction(form, emptySchema, async () => {
    const { ctx, env } = args.context.get(requestContext)
    await confirmEmailChange(ctx, token, { supportEmail: env.support.email })
    return redirectWithToast(args, paths.account.security, {
      kind: 'success',
      title: 'Email changed',
      text: 'Use the new address to sign in from now on.',
    })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export { tokenHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm your new email',
    description: 'Confirm the new email address of your Meridian account.',
    noindex: true,
  })

export default function ConfirmNewEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { email, token } = loaderData
  if (email === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>
          It was already used, is more than a day old, or belongs to a different account than the one you’re
          signed in to.
        </p>
        <LinkButton to={paths.account.security} kind="primary" className="mt-5 w-full">
          Back to Security
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your new email">
      <p className="mb-5">
        Your account’s email will change to <b className="font-semibold wrap-anywhere">{email}</b>. You’ll be
        signed out of every other browser.
      </p>
      <AuthForm
        action={path}
        failure={actionData ?? null}
        errorTitle="Nothing has changed"
        submitLabel="Confirm new email"
        pendingLabel="Confirming…"
        hidden={{ token }}
      />
    </AuthPage>
  )
}
