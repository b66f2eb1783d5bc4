import { isStaff, lacksRequiredFactor } from '#domain/accounts/permissions.ts'
import { paths } from '#domain/paths.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ClipboardList } from '../../ui/icons.tsx'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/security'
import { AccountPage } from './AccountPage.tsx'
import { runSecurityAction } from './security/actions.server.ts'
import { EmailCard } from './security/EmailCard.tsx'
import { PasswordCard } from './security/PasswordCard.tsx'
import { SecurityCard, SecurityContext } from './security/SecurityForm.tsx'
import { SessionsCard } from './security/SessionsCard.tsx'
import { TwoStepCard } from './security/TwoStepCard.tsx'

const path = paths.account.security

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const user = requireSignedIn(args, path)
  const { ctx, env } = args.context.get(requestContext)
  const { sessions, ...security } = await getSecuritySettings(ctx, getSessionRules(env))
  return {
    ...security,
    email: user.email,
    needsTwoStep: lacksRequiredFactor(user),
    isRequired: isStaff(user) && env.requireAdminMfa,
    sessions: sessions.map((session) => ({
      ...session,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
    })),
  }
})

export const action = async (args: Route.ActionArgs) => {
  requireSignedIn(args, path)
  return runSecurityAction(args)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Security',
    description: 'Your password, your email address, two-step sign-in, and where you’re signed in.',
    noindex: true,
  })

const yourData = [
  [paths.account.activity, 'Who viewed your data'],
  [paths.account.downloadSection, 'Download your data'],
  [paths.account.delete, 'Delete your account'],
] as const

export default function Security({ loaderData, actionData }: Route.ComponentProps) {
  const { email, hasPassword, isEmailConfirmed, secondFactor, sessions, needsTwoStep, isRequired } =
    loaderData
  const { key } = useLocation()
  const failure = actionData && 'fields' in actionData ? actionData : null
  const codes = actionData && 'codes' in actionData ? actionData.codes : null
  const page = useFocusAfterSubmit(key, actionData !== undefined)
  return (
    <AccountPage title="Security" intro="Manage how you sign in and where you’re signed in.">
      {/* Each response remounts the forms: closed, and without a password in them. */}
      <SecurityContext value={{ failure, email }} key={key}>
        <div ref={page} tabIndex={-1} className="space-y-6 outline-none">
          {needsTwoStep ? (
            <Alert kind="info" title="Turn on two-step sign-in to use the back office">
              <p>Admins must use two-step sign-in. Set it up below; it takes a minute.</p>
            </Alert>
          ) : null}
          {failure && isFormMissing(failure.intent, loaderData) ? (
            <Alert kind="error" title={failure.message ?? 'Nothing has changed'} />
          ) : null}
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <div className="space-y-6">
              <TwoStepCard {...{ secondFactor, hasPassword, isEmailConfirmed, isRequired, codes }} />
              {hasPassword ? <PasswordCard /> : null}
              <EmailCard email={email} isConfirmed={isEmailConfirmed} hasPassword={hasPassword} />
            </div>
            <div className="space-y-6">
              <SessionsCard sessions={sessions} />
              <SecurityCard id="data" icon={<ClipboardList />} title="Your data">
                <ul>
                  {yourData.map(([to, label]) => (
                    <li key={to}>
                      <Link to={to} className="text-link inline-flex min-h-11 items-center">
                        {label}
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

type Settings = { isEmailConfirmed: boolean; secondFactor: { state: string } }

/** Whether the form that failed is missing from the page. */
function isFormMissing(intent: string, { isEmailConfirmed, secondFactor }: Settings): boolean {
  if (intent === 'begin-second-factor') return secondFactor.state !== 'off' || !isEmailConfirmed
  if (intent === 'confirm-second-factor') return secondFactor.state !== 'pending'
  return intent === ''
}

/**
 * Moves the focus to the page after a form redirected here, because its button is gone. A failure
 * and recovery codes take the focus themselves.
 */
function useFocusAfterSubmit(key: string, isAnswered: boolean) {
  const page = useRef<HTMLDivElement>(null)
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    if (!isAnswered) page.current?.focus({ preventScroll: true })
  }, [key, isAnswered])
  return page
}
