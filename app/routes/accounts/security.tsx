import { readSecurity } from '#server/accounts/get-security-settings.ts'
import { sessionRulesOf } from '#server/accounts/session-rules.ts'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { orUnreached } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { signedInOrLed } from '../../http/require-signed-in.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ClipboardList } from '../../ui/icons.tsx'
import { Link } from '../../ui/Link.tsx'
import type { Route } from './+types/security'
import { AccountPage } from './AccountPage.tsx'
import { actOnSecurity } from './security/actions.server.ts'
import { EmailCard } from './security/EmailCard.tsx'
import { PasswordCard } from './security/PasswordCard.tsx'
import { SecurityCard, SecurityContext } from './security/SecurityForm.tsx'
import { SessionsCard } from './security/SessionsCard.tsx'
import { TwoStepCard } from './security/TwoStepCard.tsx'

const path = '/account/security'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const user = signedInOrLed(args, path)
  const { ctx, env } = args.context.get(requestContext)
  const { sessions, ...security } = await readSecurity(ctx, sessionRulesOf(env))
  return {
    ...security,
    email: user.email,
    isClosedAdmin: user.isAdmin && !user.mayAdminister,
    isRequired: user.isAdmin && env.requireAdminMfa,
    sessions: sessions.map((session) => ({
      ...session,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
    })),
  }
})

export const action = async (args: Route.ActionArgs) => {
  signedInOrLed(args, path)
  return actOnSecurity(args)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export { retryHeaders as headers } from './auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Security',
    description: 'Your password, your email address, two-step sign-in, and where you are signed in.',
    noindex: true,
  })

const yourData = [
  ['/account/activity', 'Who looked at your data'],
  ['/account/activity#download', 'Download your data'],
  ['/account/delete', 'Delete your account'],
] as const

export default function Security({ loaderData, actionData }: Route.ComponentProps) {
  const { email, hasPassword, isEmailConfirmed, secondFactor, sessions, isClosedAdmin, isRequired } =
    loaderData
  const { key } = useLocation()
  const refused = actionData && 'fields' in actionData ? actionData : null
  const codes = actionData && 'codes' in actionData ? actionData.codes : null
  const page = useFreshFocus(key, actionData !== undefined)
  return (
    <AccountPage
      title="Security"
      lead="What guards your account: who may sign in, and where you are signed in now."
    >
      {/* After each answer the forms are new ones: closed, and without a password in them. */}
      <SecurityContext value={{ refused, email }} key={key}>
        <div ref={page} tabIndex={-1} className="space-y-6 outline-none">
          {isClosedAdmin ? (
            <Alert kind="info" title="The back office is closed to you until two-step sign-in is on">
              <p>
                Whoever administers this shop signs in by two steps. Set them up below; it takes a minute.
              </p>
            </Alert>
          ) : null}
          {refused && refused.intent === '' ? (
            <Alert kind="error" title={refused.message ?? 'Nothing was changed'} />
          ) : null}
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <div className="space-y-6">
              <TwoStepCard {...{ secondFactor, hasPassword, isRequired, codes }} />
              {hasPassword ? <PasswordCard /> : null}
              <EmailCard email={email} isConfirmed={isEmailConfirmed} hasPassword={hasPassword} />
            </div>
            <div className="space-y-6">
              <SessionsCard sessions={sessions} />
              <SecurityCard id="data" icon={<ClipboardList />} title="Your data">
                <ul>
                  {yourData.map(([to, words]) => (
                    <li key={to}>
                      <Link to={to} className="text-link inline-flex min-h-11 items-center">
                        {words}
                      </Link>
                    </li>
                  ))}
                </ul>
              </SecurityCard>
            </div>
          </div>
        </div>
      </SecurityContext>
    </AccountPage>
  )
}

/** Takes the focus after a form that led back here, for its button is gone; a refusal and codes take it themselves. */
function useFreshFocus(key: string, isAnswered: boolean) {
  const page = useRef<HTMLDivElement>(null)
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    if (!isAnswered) page.current?.focus({ preventScroll: true })
  }, [key, isAnswered])
  return page
}
