import { AppError } from '#domain/errors.ts'
import { messageSchema } from '#domain/messages/message-input.ts'
import { paths } from '#domain/paths.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { refillMedication } from '#server/orders/refill-medication.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { setReminders } from '#server/reminders/set-reminders.ts'
import { redirect } from 'react-router'
import { messageSent } from '../../components/messages/message-sent.ts'
import { flashHeader } from '../../http/cookies.server.ts'
import { formAction, getText, readForm } from '../../http/form-action.server.ts'
import { toPageError } from '../../http/page-loader.server.ts'
import { redirectToSignIn } from '../../http/redirect-to-sign-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireShownUser } from '../../http/require-shown-user.server.ts'
import type { ToastMessage } from '../../ui/toasts.ts'
import type { Route } from './+types/prescriptions'
import { failureTitles } from './failure-titles.ts'

/** Refilling, writing to the pharmacy, reminders and deleting: one form each. */
export async function prescriptionsAction(args: Route.ActionArgs) {
  const { ctx, env } = args.context.get(requestContext)
  const form = await readForm(args.request)
  const id = getText(form, 'id') ?? ''
  const intent = getText(form, 'intent')
  if (intent === 'refill') return refill(args, { itemId: id, variantId: getText(form, 'variantId') })
  if (intent === 'message')
    return formAction(
      form,
      messageSchema,
      async ({ message, requestKey }) => {
        await sendToPharmacy(ctx, { subjectId: id, text: message, requestKey })
        return redirectWithToast(args, paths.prescriptions, messageSent)
      },
      ctx,
    )
  if (intent === 'reminders-on' || intent === 'reminders-off')
    return switchReminders(args, form, intent === 'reminders-on')
  if (intent !== 'delete') throw toPageError(new AppError('BAD_REQUEST'))
  const outcome = await deleteToast(ctx, id)
  const headers = new Headers()
  if (outcome) headers.set('Set-Cookie', await flashHeader(outcome, env))
  return redirect(paths.prescriptions, { status: 303, headers })
}

/**
 * Puts one fill in the cart. The toasts name no medicine, because a cookie holds them. A browser
 * that sends the form twice adds one fill.
 */
async function refill(args: Route.ActionArgs, input: { itemId: string; variantId: string | null }) {
  const { ctx } = args.context.get(requestContext)
  if (!ctx.user) return redirectToSignIn(paths.prescriptions)
  try {
    const result = await refillMedication(ctx, input)
    if (result === 'choose') return redirect(paths.prescriptionsWithRefill(input.itemId), 303)
    return await redirectWithToast(
      args,
      paths.cart,
      result === 'in cart'
        ? { kind: 'success', title: 'Added to cart' }
        : { kind: 'info', title: 'Some items added to cart', text: 'Reduced quantity: 1 item.' },
    )
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'CONFLICT') throw toPageError(error)
    return redirectWithToast(args, paths.prescriptions, {
      kind: 'error',
      title: failureTitles.refill,
      text: message,
    })
  }
}

/** Turns the reminders of the account that the page shows on or off. */
async function switchReminders(args: Route.ActionArgs, form: FormData, isOn: boolean) {
  const { ctx } = args.context.get(requestContext)
  if (!ctx.user) return redirectToSignIn(paths.prescriptions)
  try {
    requireShownUser(ctx, form)
    await setReminders(ctx, isOn)
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'CONFLICT') throw toPageError(error)
    return redirectWithToast(args, paths.prescriptions, {
      kind: 'error',
      title: failureTitles[isOn ? 'reminders-on' : 'reminders-off'],
      text: message,
    })
  }
  return redirectWithToast(args, paths.prescriptions, {
    kind: 'success',
    title: isOn ? 'Reminders on' : 'Reminders off',
    text: isOn ? 'We’ll email you when a refill opens.' : 'We won’t email you about refills.',
  })
}

/** The toast for the next page. A prescription that is already deleted gets none. */
async function deleteToast(ctx: Context, id: string): Promise<ToastMessage | null> {
  try {
    await deletePrescription(ctx, id)
    return {
      kind: 'success',
      title: 'Prescription Deleted',
      text: 'The prescription and its file were deleted.',
    }
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') ctx.log.error({ err: error, requestId: ctx.requestId }, 'form failed')
    return code === 'NOT_FOUND' ? null : { kind: 'error', title: failureTitles.delete, text: message }
  }
}
