import { confirmEmailSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { confirmEmail } from '#server/accounts/confirm-email.ts'
import { peekOneTimeToken } from '#server/accounts/one-time-token.ts'
import { data } from 'react-router'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { Link } from '../../render/Link.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/confirm-email'
import { AuthForm, AuthPage } from './AuthPage.tsx'

/** Checks the link without consuming it: email scanners open every link. */
export const loader = pageLoader(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const isValid = (await peekOneTimeToken(ctx, 'confirm-email', token)) !== null
  return data({ token: isValid ? token : null }, { status: isValid ? 200 : 404 })
})

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx } = context.get(requestContext)
  return formAction(await readForm(request), confirmEmailSchema, async (input) => {
    await confirmEmail(ctx, input)
    return redirectWithToast({ context }, paths.home, {
      kind: 'success',
      title: 'Email confirmed',
      text: 'We’ll send updates about your orders to this address.',
    })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export { tokenHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm your email',
    description: 'Confirm your account’s email address with the link we emailed you.',
    noindex: true,
  })

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const token = failure?.values['token'] ?? loaderData.token
  if (token === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>
          It has expired or was already used. If you’ve confirmed your email, you don’t need to do anything
          else.
        </p>
        <LinkButton kind="primary" to={paths.products} className="mt-5 w-full">
          Browse Medications
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your email">
      <p>We’ll send updates about your orders and your account to this address.</p>
      <p className="mt-3 mb-5">
        Didn’t create a Meridian account? Don’t confirm it.{' '}
        <Link to={paths.forgotPassword} className="text-link">
          Set your own password
        </Link>{' '}
        instead: that signs out the person who created it.
      </p>
      <AuthForm
        action={paths.confirmEmail}
        failure={failure}
        errorTitle="Your email hasn’t been confirmed yet"
        submitLabel="Confirm email"
        pendingLabel="Confirming…"
        hidden={{ token }}
      />
    </AuthPage>
  )
}
