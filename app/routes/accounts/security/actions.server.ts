import {
  changeEmailSchema,
  changePasswordSchema,
  codeSchema,
  emptySchema,
  endSessionSchema,
  proofSchema,
} from '#domain/accounts/account-security.ts'
import { AppError } from '#domain/errors.ts'
import { requestEmailChange } from '#server/accounts/change-email.ts'
import { changePassword } from '#server/accounts/change-password.ts'
import {
  beginSecondFactor,
  cancelSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#server/accounts/update-second-factor.ts'
import { endAllSessions, endOneSession } from '#server/accounts/end-session.ts'
import { resendConfirmation } from '#server/accounts/resend-confirmation.ts'
import { redirect, type data, type RouterContextProvider } from 'react-router'
import { clearSessionHeader, flashHeader } from '../../../http/cookies.server.ts'
import { formAction, readForm, textOf } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { asPageError } from '../../../http/page-loader.server.ts'
import { requestContext } from '../../../http/request-context.server.ts'

const path = '/account/security'

type ActionArgs = { request: Request; context: Readonly<RouterContextProvider> }

/** Where a form leads, why it was refused, or the recovery codes that it made. */
type Answer = Response | ReturnType<typeof data<FormFailure>> | { codes: string[] }
type Act = (args: ActionArgs, form: FormData) => Promise<Answer>

/** Back to the page, with the outcome as a toast. */
async function done({ context }: ActionArgs, title: string, text: string): Promise<Response> {
  const { env } = context.get(requestContext)
  const flash = await flashHeader({ kind: 'success', title, text }, env)
  return redirect(path, { status: 303, headers: { 'Set-Cookie': flash } })
}

/** Home, as nobody. */
async function signedOut({ context }: ActionArgs): Promise<Response> {
  const { env } = context.get(requestContext)
  const headers = new Headers()
  headers.append('Set-Cookie', await clearSessionHeader(env))
  const flash = { kind: 'success', title: 'Signed out', text: 'This browser is signed out.' } as const
  headers.append('Set-Cookie', await flashHeader(flash, env))
  return redirect('/', { status: 303, headers })
}

const acts: Record<string, Act> = {
  'change-password': (args, form) =>
    formAction(form, changePasswordSchema, async (passwords) => {
      const { ctx, env } = args.context.get(requestContext)
      await changePassword(ctx, passwords, { supportEmail: env.support.email })
      return done(args, 'Password changed', 'Every other browser was signed out.')
    }),

  'change-email': (args, form) =>
    formAction(form, changeEmailSchema, async (input) => {
      const { ctx, env } = args.context.get(requestContext)
      await requestEmailChange(ctx, input, { origin: env.publicOrigin })
      return done(
        args,
        'Check your inbox',
        'The address changes when you follow the link that we sent to it.',
      )
    }),

  'resend-confirmation': (args, form) =>
    formAction(form, emptySchema, async () => {
      const { ctx, env } = args.context.get(requestContext)
      await resendConfirmation(ctx, { origin: env.publicOrigin })
      return done(args, 'Link sent', 'Follow the link in the mail to confirm your address.')
    }),

  'begin-second-factor': (args, form) =>
    formAction(form, proofSchema, async (proof) => {
      const { ctx } = args.context.get(requestContext)
      await beginSecondFactor(ctx, proof)
      return redirect(`${path}#two-step`, { status: 303 })
    }),

  'cancel-second-factor': (args, form) =>
    formAction(form, emptySchema, async () => {
      await cancelSecondFactor(args.context.get(requestContext).ctx)
      return redirect(path, { status: 303 })
    }),

  // The codes are in the answer itself: they are shown this once, and no redirect could carry them.
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
      return done(args, 'Two-step sign-in is off', 'Your password alone opens your account.')
    }),

  'end-session': (args, form) =>
    formAction(form, endSessionSchema, async ({ session }) => {
      const { ctx } = args.context.get(requestContext)
      await endOneSession(ctx, session)
      if (session === ctx.user?.sessionId) return signedOut(args)
      return done(args, 'Signed out', 'That browser is signed out.')
    }),

  'end-all-sessions': (args, form) =>
    formAction(form, emptySchema, async () => {
      await endAllSessions(args.context.get(requestContext).ctx)
      return signedOut(args)
    }),
}

/** Hands a posted form to what its `intent` names. */
export async function actOnSecurity(args: ActionArgs): Promise<Answer> {
  const form = await readForm(args.request)
  const intent = textOf(form, 'intent') ?? ''
  const act = Object.hasOwn(acts, intent) ? acts[intent] : undefined
  if (!act) throw asPageError(new AppError('BAD_REQUEST'))
  return act(args, form)
}
