import { AppError, httpStatus } from '#domain/errors.ts'
import { closeThreadSchema, replySchema } from '#domain/messages/message-input.ts'
import { lastMessageIdOf, messageBounds, ownThreadMessage } from '#domain/messages/messages.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { toAppError } from '#server/errors.ts'
import { closeThread, listThread, mayListThread } from '#server/messages/list-thread.ts'
import { answerCustomer, askCustomer } from '#server/messages/send-message.ts'
import { useState } from 'react'
import { data, useNavigation, type ShouldRevalidateFunctionArgs } from 'react-router'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { LeavePrompt } from '../frame/LeavePrompt.tsx'
import { AdminCard } from '../orders/AdminCard.tsx'
import type { Route } from './+types/thread'

export const loader = adminLoader('prescriptions.review', async (ctx, { params }: Route.LoaderArgs) => {
  try {
    const thread = await listThread(ctx, params.id)
    return { ...thread, isOwn: thread.userId === ctx.user?.id, requestKey: crypto.randomUUID() }
  } catch (error) {
    // Rendered, not thrown: the page keeps its back link.
    if (toAppError(error).code !== 'NOT_FOUND') throw error
    return data('not found' as const, { status: 404 })
  }
})

const replies = { answer: answerCustomer, ask: askCustomer } as const

const isReply = (intent: string | null): intent is keyof typeof replies =>
  intent !== null && Object.hasOwn(replies, intent)

export const action = adminAction('prescriptions.review', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  const intent = getText(form, 'intent')
  const done = (title: string, path: string) => redirectWithToast(args, path, { kind: 'success', title })
  if (intent === 'close')
    return formAction(form, closeThreadSchema, async ({ lastMessageId }) => {
      await closeThread(ctx, { subjectId: id, lastMessageId })
      return done('Marked as handled', adminPaths.messages)
    })
  if (!isReply(intent)) throw new AppError('BAD_REQUEST')
  const isFirst = getText(form, 'isFirst') !== null
  const title = intent === 'ask' ? 'Question sent' : isFirst ? 'Message sent' : 'Answer sent'
  return formAction(form, replySchema, async ({ message, ...rest }) => {
    await replies[intent](ctx, { subjectId: id, text: message, ...rest })
    // The first message can be read back after it. Without an open case, a pharmacist may read the
    // thread only while it waits for the pharmacy.
    const stays = isFirst && (await mayListThread(ctx, id))
    return done(title, stays ? adminPaths.thread(id) : adminPaths.messages)
  })
})

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

/** After a conflict too: the page then shows the customer's new message. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || actionStatus === httpStatus('CONFLICT')

const backToMessages = { to: adminPaths.messages, label: 'Messages' }

/** A customer's messages about one order or prescription, and the pharmacist's reply. */
export default function ThreadPage({ loaderData, actionData, params: { id } }: Route.ComponentProps) {
  if (loaderData === 'not found') {
    return (
      <AdminPage title="Messages not found" back={backToMessages}>
        <p className="mb-4 text-muted">This order or prescription doesn’t exist or was deleted.</p>
        <LinkButton to={adminPaths.messages}>All messages</LinkButton>
      </AdminPage>
    )
  }
  const { kind, messages, waitingFor, isOwn } = loaderData
  return (
    <AdminPage
      back={backToMessages}
      title={kind === 'order' ? `Messages about order ${orderRef(id)}` : 'Messages about a prescription'}
      actions={
        <LinkButton to={kind === 'order' ? adminPaths.order(id) : adminPaths.prescriptionsWith({ id })}>
          {kind === 'order' ? 'View order' : 'View prescription'}
        </LinkButton>
      }
    >
      <div className="grid max-w-3xl gap-4">
        <AdminCard title="Messages">
          {messages.length === 0 ? <p className="text-muted">No messages yet.</p> : null}
          <ol className="grid gap-3">
            {messages.map(({ id, from, text, at }) => (
              <li key={id} className="border-s-4 border-line ps-3">
                <p className="text-muted">
                  {from === 'customer' ? 'The customer' : 'The pharmacy'}, <DateTime at={at} />
                </p>
                <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
              </li>
            ))}
          </ol>
          {waitingFor === 'customer' ? (
            <p className="mt-3 text-muted">Waiting for the customer’s answer.</p>
          ) : null}
        </AdminCard>
        {isOwn ? (
          <p className="text-muted">{ownThreadMessage}</p>
        ) : (
          <ReplyForm
            // An answer empties the form. A customer's new message leaves what was typed.
            key={messages.filter(({ from }) => from === 'pharmacy').length}
            id={id}
            requestKey={loaderData.requestKey}
            lastMessageId={lastMessageIdOf(loaderData)}
            isWaiting={waitingFor === 'pharmacy'}
            failure={actionData ?? null}
          />
        )}
      </div>
    </AdminPage>
  )
}

type ReplyFormProps = {
  id: string
  requestKey: string
  lastMessageId: string
  isWaiting: boolean
  failure: FormFailure | null
}

function ReplyForm({ id, requestKey, lastMessageId, isWaiting, failure }: ReplyFormProps) {
  const isSending = useNavigation().state === 'submitting'
  const [typed, setTyped] = useState(failure?.values['message'] ?? '')
  const message = failure && failure.fields['message'] === undefined ? failure.message : null
  return (
    <PostForm action={adminPaths.thread(id)} className="card grid gap-3 p-4">
      {message === null ? null : (
        <p role="alert" className="font-medium text-error">
          {message}
        </p>
      )}
      <input type="hidden" name="requestKey" value={requestKey} />
      <input type="hidden" name="lastMessageId" value={lastMessageId} />
      {isWaiting ? null : <input type="hidden" name="isFirst" value="1" />}
      <TextAreaField
        label="Message to the customer"
        name="message"
        rows={4}
        maxLength={messageBounds.characters}
        hint="The customer gets an email that says only that there is a message. If you ask a question, the review waits for the customer’s answer."
        autoComplete="off"
        defaultValue={failure?.values['message']}
        onInput={(event) => setTyped(event.currentTarget.value)}
        error={failure?.fields['message']}
      />
      {typed.trim() === '' ? null : <LeavePrompt />}
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" name="intent" value="answer" aria-disabled={isSending || undefined}>
          {isWaiting ? 'Send answer' : 'Send message'}
        </Button>
        <Button name="intent" value="ask" aria-disabled={isSending || undefined}>
          Ask a question
        </Button>
        {isWaiting ? (
          <Button kind="quiet" name="intent" value="close" aria-disabled={isSending || undefined}>
            Mark as handled
          </Button>
        ) : null}
      </div>
    </PostForm>
  )
}
