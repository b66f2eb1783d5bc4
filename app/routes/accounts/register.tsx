import { registerSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { register } from '#server/accounts/register.ts'
import { redirect } from 'react-router'
import { readDeviceTokens } from '../../http/cookies.server.ts'
import { formAction, readForm, getText } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { redirectToProviderSignIn, requireLocalAccounts } from '../../http/require-local-accounts.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { passwordReply, signInTarget } from '../../http/sign-in-reply.server.ts'
import { Field } from '../../ui/Field.tsx'
import { Link } from '../../render/Link.tsx'
import type { ToastMessage } from '../../ui/toasts.ts'
import type { Route } from './+types/register'
import { AuthForm, AuthPage, EmailField, NewPasswordField, withReturnTo } from './AuthPage.tsx'

export const loader = ({ context, request }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  redirectToProviderSignIn(env)
  const returnTo = signInTarget(new URL(request.url).searchParams.get('returnTo'))
  if (ctx.user) throw redirect(returnTo)
  return { returnTo }
}

const welcome: ToastMessage = {
  kind: 'success',
  title: 'Account created',
  text: 'We emailed you a link. Open it to confirm your email.',
}

export const action = async (args: Route.ActionArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  requireLocalAccounts(env)
  const form = await readForm(args.request)
  return formAction(
    form,
    registerSchema,
    async (registration) => {
      const devices = await readDeviceTokens(args.request, env)
      const user = await register(ctx, registration, { origin: env.publicOrigin, devices })
      return passwordReply(args, user, signInTarget(getText(form, 'returnTo')), user.isNew ? welcome : null)
    },
    ctx,
  )
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Create account',
    description:
      'Create a Meridian account to order medications, upload prescriptions and track your orders.',
    noindex: true,
  })

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const returnTo = failure?.values['returnTo'] ?? loaderData.returnTo
  const signIn = (
    <p>
      Already have an account?{' '}
      <Link to={withReturnTo(paths.login, returnTo)} className="text-link inline-flex min-h-11 items-center">
        Sign in
      </Link>
    </p>
  )
  return (
    <AuthPage
      title="Create account"
      intro="One account for your orders and prescriptions. We encrypt your health information."
      footer={signIn}
    >
      <AuthForm
        action={paths.register}
        failure={failure}
        errorTitle="Your account hasn’t been created yet"
        submitLabel="Create account"
        pendingLabel="Creating account…"
        hidden={{ returnTo }}
      >
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <Field
            id="firstName"
            name="firstName"
            label="First name"
            autoComplete="given-name"
            defaultValue={failure?.values['firstName']}
            error={failure?.fields['firstName']}
          />
          <Field
            id="lastName"
            name="lastName"
            label="Last name"
            autoComplete="family-name"
            defaultValue={failure?.values['lastName']}
            error={failure?.fields['lastName']}
          />
        </div>
        <EmailField failure={failure} />
        <NewPasswordField failure={failure} />
      </AuthForm>
    </AuthPage>
  )
}
