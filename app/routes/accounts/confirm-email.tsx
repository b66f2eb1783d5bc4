import { confirmEmailSchema } from '#domain/accounts/sign-in.ts'
import { confirmEmail } from '#server/accounts/confirm-email.ts'
import { readOneTimeToken } from '#server/accounts/one-time-token.ts'
import { data, redirect } from 'react-router'
import { flashHeader } from '../../http/cookies.server.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/confirm-email'
import { AuthForm, AuthPage } from './AuthPage.tsx'

/** Looks at the link and does not use it up: programs that check mail open every link in it. */
export const loader = pageLoader(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const works = (await readOneTimeToken(ctx, 'confirm-email', token)) !== null
  return data({ token: works ? token : null }, { status: works ? 200 : 404 })
})

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  return formAction(await readForm(request), confirmEmailSchema, async (input) => {
    await confirmEmail(ctx, input)
    const flash = await flashHeader(
      { kind: 'success', title: 'Email confirmed', text: 'News about your orders will reach you there.' },
      env,
    )
    return redirect('/', { status: 303, headers: { 'Set-Cookie': flash } })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { tokenHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm your email',
    description: 'Confirm, by the link that we mailed to you, that the address of your account is yours.',
    noindex: true,
  })

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData ?? null
  const token = refused?.values['token'] ?? loaderData.token
  if (token === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>
          It was used already, or it is too old. If you have confirmed your email, there is nothing left to
          do.
        </p>
        <LinkButton kind="primary" to="/products" className="mt-5 w-full">
          Browse Medications
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm your email">
      <p className="mb-5">Then news about your orders and your account will reach you.</p>
      <AuthForm
        action="/confirm-email"
        refused={refused}
        problem="Your email is not confirmed yet"
        submit="Confirm email"
        sending="Confirming…"
        hidden={{ token }}
      />
    </AuthPage>
  )
}
