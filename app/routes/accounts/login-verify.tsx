import { codeSchema } from '#domain/accounts/account-security.ts'
import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { peekOneTimeToken } from '#server/accounts/one-time-token.ts'
import { verifySecondFactor } from '#server/accounts/verify-second-factor.ts'
import { redirect } from 'react-router'
import { clearSecondStepHeader, readDeviceTokens, readSecondStep } from '../../http/cookies.server.ts'
import { CodeField } from '../../components/CodeField.tsx'
import { formAction, readForm, getText } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { signInReply, signInTarget } from '../../http/sign-in-reply.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/login-verify'
import { AuthForm, AuthPage, withReturnTo } from './AuthPage.tsx'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  const returnTo = signInTarget(new URL(args.request.url).searchParams.get('returnTo'))
  if (ctx.user) throw redirect(returnTo)
  const token = await readSecondStep(args.request, env)
  if (!token || !(await peekOneTimeToken(ctx, 'second-factor', token)))
    throw await restartSignIn(args, returnTo)
  return { returnTo }
})

export const action = async (args: Route.ActionArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  const form = await readForm(args.request)
  const returnTo = signInTarget(getText(form, 'returnTo'))
  const token = await readSecondStep(args.request, env)
  if (!token) return restartSignIn(args, returnTo)
  return formAction(form, codeSchema, async ({ code }) => {
    try {
      const user = await verifySecondFactor(ctx, { token, code }, await readDeviceTokens(args.request, env))
      return await signInReply(args, { ...user, hasGivenFactor: true }, returnTo)
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return restartSignIn(args, returnTo)
      throw error
    }
  })
}

/**
 * Redirects to the first step when it has expired or is missing. A user who has signed
 * in elsewhere is redirected on from there.
 */
async function restartSignIn({ context }: Route.LoaderArgs | Route.ActionArgs, returnTo: string) {
  const { env } = context.get(requestContext)
  const flash = {
    kind: 'error',
    title: 'Sign in again',
    text: 'Enter your code within 10 minutes of entering your password.',
  } as const
  return redirectWithToast({ context }, withReturnTo(paths.login, returnTo), flash, {
    cookie: await clearSecondStepHeader(env),
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Two-step sign-in',
    description: 'The second step of signing in to your Meridian account.',
    noindex: true,
  })

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const returnTo = failure?.values['returnTo'] ?? loaderData.returnTo
  return (
    <AuthPage
      title="Two-step sign-in"
      intro="Your password is correct. Enter a code to confirm it’s you."
      footer={
        <p>
          <Link
            to={withReturnTo(paths.login, returnTo)}
            className="text-link inline-flex min-h-11 items-center"
          >
            Use a different account
          </Link>
        </p>
      }
    >
      <AuthForm
        action={paths.loginVerify}
        failure={failure}
        errorTitle="You’re not signed in yet"
        submitLabel="Continue"
        pendingLabel="One moment…"
        hidden={{ returnTo }}
      >
        <CodeField id="code" error={failure?.fields['code']} />
      </AuthForm>
    </AuthPage>
  )
}
