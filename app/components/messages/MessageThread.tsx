import { messageBounds, type Thread } from '#domain/messages/messages.ts'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/Field.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { formatDay } from '../orders/order-labels.ts'
import { SignInAgain } from '../SignInAgain.tsx'

type MessageThreadProps = {
  /** The order or prescription. */
  subjectId: string
  thread: Thread
  /** Names the next submission. */
  requestKey: string
  /** The page that the form posts to. */
  action: string
  failure: FormFailure | null
}

/**
 * The customer's messages with the pharmacy about an order or prescription, and a form for the
 * next. Everything works without scripts.
 */
export const MessageThread = ({ thread, ...form }: MessageThreadProps) => {
  const needsAnswer = thread.waitingFor === 'customer'
  const failure = form.failure?.values['id'] === form.subjectId ? form.failure : null
  return (
    <>
      {thread.messages.length > 0 ? (
        <ol className="mt-3 space-y-3">
          {thread.messages.map(({ id, from, text, at }) => (
            <li
              key={id}
              className="rounded-field border-s-4 border-line bg-base-200 px-3 py-2 wrap-anywhere whitespace-pre-line"
            >
              <b className="font-semibold">{from === 'pharmacy' ? 'The pharmacy:' : 'You:'}</b> {text}{' '}
              <time dateTime={at} className="block text-sm text-muted">
                {formatDay(at)}
              </time>
            </li>
          ))}
        </ol>
      ) : null}
      {thread.waitingFor === 'pharmacy' ? (
        <p className="mt-3 text-muted">The pharmacy will answer here. We’ll email you when it does.</p>
      ) : null}
      {needsAnswer ? (
        <MessageForm {...form} failure={failure} key={thread.messages.length} needsAnswer />
      ) : (
        // Closed again after a message.
        <details key={thread.messages.length} className="mt-3 print:hidden" open={failure !== null}>
          <summary className="text-link inline-flex min-h-11 cursor-pointer items-center">
            {thread.messages.length > 0 ? 'Write another message' : 'Ask the pharmacist'}
          </summary>
          <MessageForm {...form} failure={failure} needsAnswer={false} />
        </details>
      )}
    </>
  )
}

export function MessageForm({
  subjectId,
  requestKey,
  action,
  failure,
  needsAnswer,
}: Omit<MessageThreadProps, 'thread'> & { needsAnswer: boolean }) {
  const { formData } = useNavigation()
  const isSending = formData?.get('intent') === 'message' && formData.get('id') === subjectId
  const hasFieldError = failure?.fields['message'] !== undefined
  return (
    <PostForm action={action} preventScrollReset className="mt-3 print:hidden">
      <input type="hidden" name="id" value={subjectId} />
      <input type="hidden" name="requestKey" value={requestKey} />
      {failure && !hasFieldError ? (
        <div role="alert" className="mb-2 font-medium text-error">
          <p>{failure.message ?? Object.values(failure.fields)[0]}</p>
          {failure.isSignedOut ? <SignInAgain /> : null}
        </div>
      ) : null}
      <TextAreaField
        id={`message-${subjectId}`}
        label={needsAnswer ? 'Your answer' : 'Message to the pharmacy'}
        name="message"
        rows={3}
        required
        maxLength={messageBounds.characters}
        autoComplete="off"
        // Without scripts, the browser scrolls to it after a failure.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={hasFieldError}
        defaultValue={failure?.values['message']}
        error={failure?.fields['message']}
      />
      <Button
        kind={needsAnswer ? 'primary' : 'secondary'}
        className="mt-3"
        name="intent"
        value="message"
        aria-disabled={isSending || undefined}
      >
        {isSending ? 'Sending…' : needsAnswer ? 'Send answer' : 'Send message'}
      </Button>
    </PostForm>
  )
}
