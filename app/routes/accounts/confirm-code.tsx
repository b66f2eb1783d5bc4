import { codeSchema } from '#domain/accounts/account-security.ts'
import { paths } from '#domain/paths.ts'
import { confirmWithCode, recentCodeMinutes } from '#server/accounts/recent-code.ts'
import { CodeField } from '../../components/CodeField.tsx'
import { formAction, getText, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { signInTarget } from '../../http/sign-in-reply.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/confirm-code'
import { AuthForm, AuthPage } from './AuthPage.tsx'

const path = paths.account.confirmCode

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { hasSecondFactor } = requireSignedIn(args, path)
  const returnTo = signInTarget(new URL(args.request.url).searchParams.get('returnTo'))
  return { hasSecondFactor, returnTo }
})

export const action = async (args: Route.ActionArgs) => {
  requireSignedIn(args, path)
  const form = await readForm(args.request)
  return formAction(form, codeSchema, async (input) => {
    await confirmWithCode(args.context.get(requestContext).ctx, input)
    return redirectWithToast(args, signInTarget(getText(form, 'returnTo')), {
      kind: 'success',
      title: 'Confirmed',
      text: `Try again now. You won’t need another code for ${recentCodeMinutes} minutes.`,
    })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm it’s you',
    description: 'Confirm it’s you with a code before a change that needs one.',
    noindex: true,
  })

/** Asks for a code before something that needs a recent one, for pages without scripts. */
export default function ConfirmCode({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const { hasSecondFactor } = loaderData
  const returnTo = failure?.values['returnTo'] ?? loaderData.returnTo
  if (!hasSecondFactor) {
    return (
      <AuthPage title="Confirm it’s you">
        <p>Two-step sign-in is off, so there is nothing to confirm.</p>
        <LinkButton to={returnTo} kind="primary" className="mt-5 w-full">
          Back
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Confirm it’s you" intro="What you’re about to do needs a code from the last 10 minutes.">
      <AuthForm
        action={path}
        failure={failure}
        errorTitle="Not confirmed yet"
        submitLabel="Continue"
        pendingLabel="One moment…"
        hidden={{ returnTo }}
      >
        <CodeField id="code" error={failure?.fields['code']} />
      </AuthForm>
    </AuthPage>
  )
}
