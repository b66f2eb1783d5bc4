import { confirmEmailChange, readEmailChange } from '#server/accounts/change-email.ts'
import { redirect } from 'react-router'
import { emptySchema } from '#domain/accounts/account-security.ts'
import { flashHeader } from '../../http/cookies.server.ts'
import { formAction, readForm, textOf } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { signedInOrLed } from '../../http/require-signed-in.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { AuthForm, AuthPage } from './AuthPage.tsx'
import type { Route } from './+types/confirm-new-email'

const path = '/account/confirm-new-email'

/** Shows what the link of a mail would change; only its button changes it, for mail programs open links ahead. */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  signedInOrLed(args, `${path}?token=${encodeURIComponent(token)}`)
  const { ctx } = args.context.get(requestContext)
  return { token, email: await readEmailChange(ctx, token) }
})

export const action = async (args: Route.ActionArgs) => {
  const form = await readForm(args.request)
  const token = textOf(form, 'token') ?? ''
  signedInOrLed(args, `${path}?token=${encodeURIComponent(token)}`)
  return formAction(form, emptySchema, async () => {
    const { ctx, env } = args.context.get(requestContext)
    await confirmEmailChange(ctx, token, { supportEmail: env.support.email })
    const flash = await flashHeader(
      { kind: 'success', title: 'Email changed', text: 'Sign in with the new address from now on.' },
      env,
    )
    return redirect('/account/security', { status: 303, headers: { 'Set-Cookie': flash } })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { tokenHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm your new email',
    description: 'The address that your Meridian account shall have from now on.',
    noindex: true,
  })

export default function ConfirmNewEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { email, token } = loaderData
  if (email === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>
          It was used already, is older than a day, or belongs to another account than the one signed in here.
        </p>
        <LinkButton to="/account/security" kind="primary" className="mt-5 w-full">
          Back to Security
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your new email">
      <p className="mb-5">
        Your account’s address becomes <b className="font-semibold wrap-anywhere">{email}</b>. Every other
        browser is signed out.
      </p>
      <AuthForm
        action={path}
        refused={actionData ?? null}
        problem="Nothing was changed"
        submit="Confirm new email"
        sending="Confirming…"
        hidden={{ token }}
      />
    </AuthPage>
  )
}
