import { resetPasswordSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { peekOneTimeToken } from '#server/accounts/one-time-token.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { data } from 'react-router'
import { clearSessionHeader, deviceCookieHeader, readDeviceTokens } from '../../http/cookies.server.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { redirectToProviderSignIn, requireLocalAccounts } from '../../http/require-local-accounts.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/reset-password'
import { AuthForm, AuthPage, NewPasswordField } from './AuthPage.tsx'

/** Checks the link without consuming it: email scanners open every link. */
export const loader = pageLoader(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  redirectToProviderSignIn(env)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const isValid = (await peekOneTimeToken(ctx, 'reset-password', token)) !== null
  return data({ token: isValid ? token : null }, { status: isValid ? 200 : 404 })
})

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  requireLocalAccounts(env)
  return formAction(await readForm(request), resetPasswordSchema, async (input) => {
    const { devices, isClaimed } = await resetPassword(ctx, input, {
      supportEmail: env.support.email,
      devices: await readDeviceTokens(request, env),
    })
    const flash = {
      kind: 'success',
      title: 'Password changed',
      text: isClaimed
        ? 'Sign in with your new password. Then check your profile and your cart: your address had never been confirmed, so someone else may have filled them in.'
        : 'Sign in with your new password.',
    } as const
    const reply = await redirectWithToast({ context }, paths.login, flash, {
      cookie: await clearSessionHeader(env),
    })
    reply.headers.append('Set-Cookie', await deviceCookieHeader(devices, env))
    return reply
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export { tokenHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Choose a new password',
    description: 'Set a new password for your Meridian account with the link we emailed you.',
    noindex: true,
  })

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const token = failure?.values['token'] ?? loaderData.token
  if (token === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>It has expired or was already used.</p>
        <LinkButton kind="primary" to={paths.forgotPassword} className="mt-5 w-full">
          Request a new link
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage
      title="Choose a new password"
      intro="You’ll be signed out of every browser. Sign in again with the new password."
      footer={
        <p>
          Link not working?{' '}
          <Link to={paths.forgotPassword} className="text-link inline-flex min-h-11 items-center">
            Request a new one
          </Link>
        </p>
      }
    >
      <AuthForm
        action={paths.resetPassword}
        failure={failure}
        errorTitle="Your password hasn’t been changed yet"
        submitLabel="Set new password"
        pendingLabel="Setting…"
        hidden={{ token }}
      >
        <NewPasswordField failure={failure} label="New password" />
      </AuthForm>
    </AuthPage>
  )
}
