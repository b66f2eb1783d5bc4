import { resetPasswordSchema } from '#domain/accounts/sign-in.ts'
import { readOneTimeToken } from '#server/accounts/one-time-token.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { data, redirect } from 'react-router'
import { clearSessionHeader, flashHeader } from '../../http/cookies.server.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { needOwnAccounts, refuseWithoutOwnAccounts } from '../../http/require-local-accounts.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import type { Route } from './+types/reset-password'
import { AuthForm, AuthPage, NewPasswordField } from './AuthPage.tsx'

/** Looks at the link and does not use it up: programs that check mail open every link in it. */
export const loader = pageLoader(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  needOwnAccounts(env)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const works = (await readOneTimeToken(ctx, 'reset-password', token)) !== null
  return data({ token: works ? token : null }, { status: works ? 200 : 404 })
})

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  refuseWithoutOwnAccounts(env)
  return formAction(await readForm(request), resetPasswordSchema, async (input) => {
    await resetPassword(ctx, input, { supportEmail: env.support.email })
    const headers = new Headers()
    headers.append('Set-Cookie', await clearSessionHeader(env))
    const flash = await flashHeader(
      { kind: 'success', title: 'Password changed', text: 'Please sign in with your new password.' },
      env,
    )
    headers.append('Set-Cookie', flash)
    return redirect('/login', { status: 303, headers })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { tokenHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Choose a new password',
    description: 'Set a new password for your Meridian account by the link that we mailed to you.',
    noindex: true,
  })

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData ?? null
  const token = refused?.values['token'] ?? loaderData.token
  if (token === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>It was used already, or it is too old.</p>
        <LinkButton kind="primary" to="/forgot-password" className="mt-5 w-full">
          Ask for a new link
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage
      title="Choose a new password"
      lead="Afterwards you sign in with it. Every browser that is signed in now is signed out."
      besides={
        <p>
          Does the link not work?{' '}
          <Link to="/forgot-password" className="text-link inline-flex min-h-11 items-center">
            Ask for a new one
          </Link>
        </p>
      }
    >
      <AuthForm
        action="/reset-password"
        refused={refused}
        problem="Your password is not changed yet"
        submit="Set new password"
        sending="Setting…"
        hidden={{ token }}
      >
        <NewPasswordField refused={refused} label="New password" />
      </AuthForm>
    </AuthPage>
  )
}
