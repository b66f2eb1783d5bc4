import { signInSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { redirect } from 'react-router'
import { authenticateForm } from '../../http/authenticator.server.ts'
import { formAction, readForm, getText } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { requireLocalAccounts } from '../../http/require-local-accounts.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { passwordReply, signInTarget } from '../../http/sign-in-reply.server.ts'
import { Field } from '../../ui/Field.tsx'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/login'
import { AuthForm, AuthPage, EmailField, withReturnTo } from './AuthPage.tsx'

export const loader = ({ context, request }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const returnTo = signInTarget(new URL(request.url).searchParams.get('returnTo'))
  if (ctx.user) throw redirect(returnTo)
  return { returnTo, hasProvider: env.oidc !== null }
}

export const action = async (args: Route.ActionArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  requireLocalAccounts(env)
  const form = await readForm(args.request)
  return formAction(
    form,
    signInSchema,
    async () =>
      passwordReply(
        args,
        await authenticateForm({ ctx, env }, args.request, form),
        signInTarget(getText(form, 'returnTo')),
      ),
    ctx,
  )
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Sign In',
    description: 'Sign in to your Meridian account to see your profile, prescriptions and orders.',
    noindex: true,
  })

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const returnTo = failure?.values['returnTo'] ?? loaderData.returnTo
  if (loaderData.hasProvider) {
    return (
      <AuthPage
        title="Sign In"
        intro="Sign in with your organization’s account. You’ll come back here afterward."
      >
        <a href={withReturnTo(paths.api.login, returnTo)} className="btn btn-primary w-full">
          Sign In
        </a>
      </AuthPage>
    )
  }
  return (
    <AuthPage
      title="Sign In"
      footer={
        <p>
          New here?{' '}
          <Link
            to={withReturnTo(paths.register, returnTo)}
            className="text-link inline-flex min-h-11 items-center"
          >
            Create an account
          </Link>
        </p>
      }
    >
      <AuthForm
        action={paths.login}
        failure={failure}
        errorTitle="You’re not signed in yet"
        submitLabel="Sign In"
        pendingLabel="Signing in…"
        hidden={{ returnTo }}
      >
        <EmailField failure={failure} />
        <div>
          <Field
            id="password"
            name="password"
            type="password"
            label="Password"
            autoComplete="current-password"
            error={failure?.fields['password']}
          />
          <p className="-mb-3 text-sm">
            <Link to={paths.forgotPassword} className="text-link inline-flex min-h-11 items-center">
              Forgot your password?
            </Link>
          </p>
        </div>
      </AuthForm>
    </AuthPage>
  )
}
