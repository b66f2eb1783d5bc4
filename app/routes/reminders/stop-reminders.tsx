import { confirmEmailSchema } from '#domain/accounts/sign-in.ts'
import { paths } from '#domain/paths.ts'
import { unknownLinkMessage } from '#domain/reminders/reminders.ts'
import { isReminderLink, stopReminders } from '#server/reminders/set-reminders.ts'
import { data } from 'react-router'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { AuthForm, AuthPage } from '../accounts/AuthPage.tsx'
import type { Route } from './+types/stop-reminders'

/** Checks the link and changes nothing: email scanners open every link. */
export const loader = pageLoader(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const isValid = await isReminderLink(ctx, token)
  return data({ token: isValid ? token : null }, { status: isValid ? 200 : 404 })
})

export const action = async (args: Route.ActionArgs) => {
  const { ctx } = args.context.get(requestContext)
  return formAction(await readForm(args.request), confirmEmailSchema, async (input) => {
    await stopReminders(ctx, input)
    return redirectWithToast(args, paths.home, {
      kind: 'success',
      title: 'Reminders off',
      text: 'We won’t email you about refills.',
    })
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export { tokenHeaders as headers } from '../accounts/auth-headers.ts'

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Turn off refill reminders',
    description: 'Turn off the emails that tell you when a refill opens.',
    noindex: true,
  })

/** Turns the emails off by the link in one of them, without signing in. */
export default function StopReminders({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData ?? null
  const token = failure?.values['token'] ?? loaderData.token
  if (token === null) {
    return (
      <AuthPage title="This link no longer works">
        <p>{unknownLinkMessage}</p>
        <LinkButton kind="primary" to={paths.prescriptions} className="mt-5 w-full">
          My Prescriptions
        </LinkButton>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Turn off refill reminders">
      <p className="mb-5">You’ll no longer get an email when a refill opens.</p>
      <AuthForm
        action={paths.stopRemindersForm}
        failure={failure}
        errorTitle="Your reminders are still on"
        submitLabel="Turn off reminders"
        pendingLabel="Turning off…"
        hidden={{ token }}
      />
    </AuthPage>
  )
}
