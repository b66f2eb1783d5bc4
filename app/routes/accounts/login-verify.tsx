import { codeSchema } from '#domain/accounts/account-security.ts'
import { AppError } from '#domain/errors.ts'
import { readOneTimeToken } from '#server/accounts/one-time-token.ts'
import { proveSecondFactor } from '#server/accounts/verify-second-factor.ts'
import { redirect } from 'react-router'
import { clearSecondStepHeader, flashHeader, readSecondStep } from '../../http/cookies.server.ts'
import { formAction, readForm, textOf } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { signInReply, signInTarget } from '../../http/sign-in-reply.server.ts'
import { Field } from '../../ui/Field.tsx'
import { Link } from '../../ui/Link.tsx'
import type { Route } from './+types/login-verify'
import { AuthForm, AuthPage, withReturnTo } from './AuthPage.tsx'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  const returnTo = signInTarget(new URL(args.request.url).searchParams.get('returnTo'))
  if (ctx.user) throw redirect(returnTo)
  const token = await readSecondStep(args.request, env)
  if (!token || !(await readOneTimeToken(ctx, 'second-factor', token))) throw await beginAgain(args, returnTo)
  return { returnTo }
})

export const action = async (args: Route.ActionArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  const form = await readForm(args.request)
  const returnTo = signInTarget(textOf(form, 'returnTo'))
  const token = await readSecondStep(args.request, env)
  if (!token) return beginAgain(args, returnTo)
  return formAction(form, codeSchema, async ({ code }) => {
    try {
      const userId = await proveSecondFactor(ctx, { token, code })
      return await signInReply(args, { userId }, returnTo)
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return beginAgain(args, returnTo)
      throw error
    }
  })
}

/** Back to the first step, where the second came too late or without one. Who is signed in meanwhile is led on from there. */
async function beginAgain({ context }: Route.LoaderArgs | Route.ActionArgs, returnTo: string) {
  const { env } = context.get(requestContext)
  const headers = new Headers()
  headers.append('Set-Cookie', await clearSecondStepHeader(env))
  const flash = await flashHeader(
    {
      kind: 'error',
      title: 'Please sign in again',
      text: 'The second step has to follow within ten minutes.',
    },
    env,
  )
  headers.append('Set-Cookie', flash)
  return redirect(withReturnTo('/login', returnTo), { status: 303, headers })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { retryHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Two-step sign-in',
    description: 'The second step of signing in to your Meridian account.',
    noindex: true,
  })

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData ?? null
  const returnTo = refused?.values['returnTo'] ?? loaderData.returnTo
  return (
    <AuthPage
      title="Two-step sign-in"
      lead="Your password is right. One more step shows that it is you."
      besides={
        <p>
          <Link to={withReturnTo('/login', returnTo)} className="text-link inline-flex min-h-11 items-center">
            Sign in as somebody else
          </Link>
        </p>
      }
    >
      <AuthForm
        action="/login/verify"
        refused={refused}
        problem="You are not signed in yet"
        submit="Continue"
        sending="One moment…"
        hidden={{ returnTo }}
      >
        <Field
          id="code"
          name="code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          error={refused?.fields['code']}
          hint="Six digits from your authenticator app. A recovery code works too."
        />
      </AuthForm>
    </AuthPage>
  )
}
