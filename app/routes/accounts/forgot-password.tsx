import { forgotPasswordSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { requestPasswordReset } from '#server/accounts/request-password-reset.ts'
import { lifetimeMinutes } from '#server/accounts/one-time-token.ts'
import { useEffect, useRef } from 'react'
import { redirect } from 'react-router'
import { readDeviceTokens } from '../../http/cookies.server.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { redirectToProviderSignIn, requireLocalAccounts } from '../../http/require-local-accounts.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/forgot-password'
import { AuthForm, AuthPage, EmailField } from './AuthPage.tsx'

const sentPath = paths.forgotPasswordSent

export const loader = ({ context, request }: Route.LoaderArgs) => {
  const { env } = context.get(requestContext)
  redirectToProviderSignIn(env)
  return {
    isSent: new URL(request.url).searchParams.has('sent'),
    minutes: lifetimeMinutes('reset-password'),
    outboxHref: env.mode === 'production' ? null : serverPaths.demoOutbox,
  }
}

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  requireLocalAccounts(env)
  return formAction(await readForm(request), forgotPasswordSchema, async (input) => {
    const devices = await readDeviceTokens(request, env)
    await requestPasswordReset(ctx, input, { origin: env.publicOrigin, devices })
    return redirect(sentPath, { status: 303 })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Forgot password',
    description: 'Get an email with a link to set a new password for your Meridian account.',
    noindex: true,
  })

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { isSent, minutes, outboxHref } = loaderData
  const failure = actionData ?? null
  const footer = (
    <p>
      <Link to={paths.login} className="text-link inline-flex min-h-11 items-center">
        Back to Sign In
      </Link>
    </p>
  )
  if (isSent && !failure) {
    return (
      <AuthPage title="Check your email" footer={footer}>
        <Sent minutes={minutes} outboxHref={outboxHref} />
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Forgot password" intro="We’ll email you a link to set a new password." footer={footer}>
      <AuthForm
        action={paths.forgotPassword}
        failure={failure}
        errorTitle="We haven’t sent a link yet"
        submitLabel="Send reset link"
        pendingLabel="Sending…"
      >
        <EmailField failure={failure} />
      </AuthForm>
    </AuthPage>
  )
}

/**
 * The message is the same whether or not the address has an account. Takes the focus, because the
 * form that had it is gone.
 */
function Sent({ minutes, outboxHref }: { minutes: number; outboxHref: string | null }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={box} tabIndex={-1} role="status" className="space-y-3 outline-none">
      <p>
        If that address has an account, we emailed it a link. The link works once and expires after {minutes}{' '}
        minutes.
      </p>
      <p className="text-muted">
        No email after a few minutes? Check your spam folder, or{' '}
        <Link to={paths.forgotPassword} className="text-link">
          try another address
        </Link>
        .
      </p>
      {outboxHref ? (
        <p>
          This is a demo:{' '}
          <Link to={outboxHref} className="text-link">
            read the email in the outbox
          </Link>
          .
        </p>
      ) : null}
    </div>
  )
}
