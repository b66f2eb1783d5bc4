import { forgotPasswordSchema } from '#domain/accounts/sign-in.ts'
import { askForReset } from '#server/accounts/request-password-reset.ts'
import { minutesOf } from '#server/accounts/one-time-token.ts'
import { useEffect, useRef } from 'react'
import { redirect } from 'react-router'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { needOwnAccounts, refuseWithoutOwnAccounts } from '../../http/require-local-accounts.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Link } from '../../ui/Link.tsx'
import type { Route } from './+types/forgot-password'
import { AuthForm, AuthPage, EmailField } from './AuthPage.tsx'

const sentPath = '/forgot-password?sent'

export const loader = ({ context, request }: Route.LoaderArgs) => {
  const { env } = context.get(requestContext)
  needOwnAccounts(env)
  return {
    isSent: new URL(request.url).searchParams.has('sent'),
    minutes: minutesOf('reset-password'),
    outboxHref: env.mode === 'production' ? null : '/demo/outbox',
  }
}

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  refuseWithoutOwnAccounts(env)
  return formAction(await readForm(request), forgotPasswordSchema, async (input) => {
    await askForReset(ctx, input, { origin: env.publicOrigin })
    return redirect(sentPath, { status: 303 })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { retryHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Forgot password',
    description: 'Ask for a link by email that sets a new password for your Meridian account.',
    noindex: true,
  })

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { isSent, minutes, outboxHref } = loaderData
  const refused = actionData ?? null
  const back = (
    <p>
      <Link to="/login" className="text-link inline-flex min-h-11 items-center">
        Back to Sign In
      </Link>
    </p>
  )
  if (isSent && !refused) {
    return (
      <AuthPage title="Check your email" besides={back}>
        <Sent minutes={minutes} outboxHref={outboxHref} />
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Forgot password" lead="We send you a link that sets a new one." besides={back}>
      <AuthForm
        action="/forgot-password"
        refused={refused}
        problem="No link was sent yet"
        submit="Send reset link"
        sending="Sending…"
      >
        <EmailField refused={refused} />
      </AuthForm>
    </AuthPage>
  )
}

/** Says the same whether or not the address has an account; takes the focus, for the form that had it is gone. */
function Sent({ minutes, outboxHref }: { minutes: number; outboxHref: string | null }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={box} tabIndex={-1} role="status" className="space-y-3 outline-none">
      <p>
        If the address has an account, a mail with a link is on its way to it. The link works once, within{' '}
        {minutes} minutes.
      </p>
      <p className="text-muted">
        Nothing there after a few minutes? Look among unwanted mail, or{' '}
        <Link to="/forgot-password" className="text-link">
          try another address
        </Link>
        .
      </p>
      {outboxHref ? (
        <p>
          This is a demo:{' '}
          <Link to={outboxHref} className="text-link">
            read the mail in its outbox
          </Link>
          .
        </p>
      ) : null}
    </div>
  )
}
