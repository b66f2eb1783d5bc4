import { confirmEmailSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { checkConfirmationLink, confirmEmail } from '#server/accounts/confirm-email.ts'
import { data } from 'react-router'
import { formAction, getText, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { Link } from '../../render/Link.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/confirm-email'
import { AuthForm, AuthPage } from './AuthPage.tsx'

/** Checks the link without consuming it: email scanners open every link. */
export const loader = pageLoader(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const link = await checkConfirmationLink(ctx, token)
  const signIn = link === 'signed-out' ? paths.api.loginFor(serverPaths.confirmEmailWith(token)) : null
  return data({ token, link, signIn }, { status: link === 'invalid' || link === 'other-account' ? 404 : 200 })
})

export const action = async (args: Route.ActionArgs) => {
  const form = await readForm(args.request)
  requireSignedIn(args, serverPaths.confirmEmailWith(getText(form, 'token') ?? ''))
  return formAction(form, confirmEmailSchema, async (input) => {
    await confirmEmail(args.context.get(requestContext).ctx, input)
    return redirectWithToast(args, paths.home, {
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
  const { token, link, signIn } = loaderData
  const failure = actionData ?? null
  if (link === 'invalid' && !failure) {
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
  if (link === 'other-account') {
    return (
      <AuthPage title="This link is for a different account">
        <p>Sign out and open the link again. Then sign in with the address that the email was sent to.</p>
      </AuthPage>
    )
  }
  if (signIn !== null) {
    return (
      <AuthPage title="Confirm your email">
        <p>Sign in to your account to confirm that this address is yours.</p>
        <a href={signIn} className="btn btn-primary mt-5 w-full">
          Sign In
        </a>
        <p className="mt-5">
          Didn’t create a Meridian account?{' '}
          <Link to={paths.forgotPassword} className="text-link">
            Set your own password
          </Link>
          : that signs out the person who created it.
        </p>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your email">
      <p className="mb-5">We’ll send updates about your orders and your account to this address.</p>
      <AuthForm
        action={paths.confirmEmail}
        failure={failure}
        errorTitle="Your email hasn’t been confirmed yet"
        submitLabel="Confirm email"
        pendingLabel="Confirming…"
        hidden={{ token: failure?.values['token'] ?? token }}
      />
    </AuthPage>
  )
}
