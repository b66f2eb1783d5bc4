import {
  changeEmailSchema,
  changePasswordSchema,
  codeSchema,
  emptySchema,
  endSessionSchema,
  proofSchema,
} from '#domain/accounts/account-security.ts'
import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { requestEmailChange } from '#server/accounts/change-email.ts'
import { changePassword } from '#server/accounts/change-password.ts'
import {
  startSecondFactor,
  cancelSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#server/accounts/update-second-factor.ts'
import { endAllSessions, endSessionById } from '#server/accounts/end-session.ts'
import { resendConfirmation } from '#server/accounts/resend-confirmation.ts'
import { redirect, type data, type RouterContextProvider } from 'react-router'
import { clearSessionHeader } from '../../../http/cookies.server.ts'
import { formAction, readForm, getText } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { toPageError } from '../../../http/page-loader.server.ts'
import { requestContext } from '../../../http/request-context.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'

const path = paths.account.security

type ActionArgs = { request: Request; context: Readonly<RouterContextProvider> }

/** A redirect, a failure, or the recovery codes that were created. */
type ActionResult = Response | ReturnType<typeof data<FormFailure>> | { codes: string[] }
type SecurityAction = (args: ActionArgs, form: FormData) => Promise<ActionResult>

/** Redirects to the page with a toast. */
const redirectDone = (args: ActionArgs, title: string, text: string): Promise<Response> =>
  redirectWithToast(args, path, { kind: 'success', title, text })

/** Redirects home, signed out. */
async function redirectSignedOut(args: ActionArgs): Promise<Response> {
  const { env } = args.context.get(requestContext)
  const flash = { kind: 'success', title: 'Signed out', text: 'You’re signed out of this browser.' } as const
  return redirectWithToast(args, paths.home, flash, { cookie: await clearSessionHeader(env) })
}

const securityActions: Record<string, SecurityAction> = {
  'change-password': (args, form) =>
    formAction(form, changePasswordSchema, async (passwords) => {
      const { ctx, env } = args.context.get(requestContext)
      await changePassword(ctx, passwords, { supportEmail: env.support.email })
      return redirectDone(args, 'Password changed', 'You’re signed out of every other browser.')
    }),

  'change-email': (args, form) =>
    formAction(form, changeEmailSchema, async (input) => {
      const { ctx, env } = args.context.get(requestContext)
      await requestEmailChange(ctx, input, { origin: env.publicOrigin })
      return redirectDone(
        args,
        'Check your email',
        'Your address changes when you open the link we emailed to it.',
      )
    }),

  'resend-confirmation': (args, form) =>
    formAction(form, emptySchema, async () => {
      const { ctx, env } = args.context.get(requestContext)
      await resendConfirmation(ctx, { origin: env.publicOrigin })
      return redirectDone(args, 'Link sent', 'Open the link in the email to confirm your address.')
    }),

  'begin-second-factor': (args, form) =>
    formAction(form, proofSchema, async (proof) => {
      const { ctx } = args.context.get(requestContext)
      await startSecondFactor(ctx, proof)
      return redirect(`${path}#two-step`, { status: 303 })
    }),

  'cancel-second-factor': (args, form) =>
    formAction(form, emptySchema, async () => {
      await cancelSecondFactor(args.context.get(requestContext).ctx)
      return redirect(path, { status: 303 })
    }),

  // The response itself carries the codes: they are shown only once, and a redirect could not carry
  // them.
  'confirm-second-factor': (args, form) =>
    formAction(form, codeSchema, async (input) => {
      const { ctx, env } = args.context.get(requestContext)
      return { codes: await confirmSecondFactor(ctx, input, { supportEmail: env.support.email }) }
    }),

  'renew-recovery-codes': (args, form) =>
    formAction(form, proofSchema, async (proof) => ({
      codes: await renewRecoveryCodes(args.context.get(requestContext).ctx, proof),
    })),

  'turn-off-second-factor': (args, form) =>
    formAction(form, proofSchema, async (proof) => {
      const { ctx, env } = args.context.get(requestContext)
      const { requireAdminMfa } = env
      await turnOffSecondFactor(ctx, proof, { supportEmail: env.support.email, requireAdminMfa })
      return redirectDone(
        args,
        'Two-step sign-in is off',
        'You now sign in with your password only. You’re signed out of every other browser.',
      )
    }),

  'end-session': (args, form) =>
    formAction(form, endSessionSchema, async ({ session }) => {
      const { ctx } = args.context.get(requestContext)
      await endSessionById(ctx, session)
      if (session === ctx.user?.sessionId) return redirectSignedOut(args)
      return redirectDone(args, 'Signed out', 'That browser is signed out.')
    }),

  'end-all-sessions': (args, form) =>
    formAction(form, emptySchema, async () => {
      await endAllSessions(args.context.get(requestContext).ctx)
      return redirectSignedOut(args)
    }),
}

/** Runs the action that the form's `intent` names. */
export async function runSecurityAction(args: ActionArgs): Promise<ActionResult> {
  const form = await readForm(args.request)
  const intent = getText(form, 'intent') ?? ''
  const act = Object.hasOwn(securityActions, intent) ? securityActions[intent] : undefined
  if (!act) throw toPageError(new AppError('BAD_REQUEST'))
  return act(args, form)
}
