import { paths } from '#domain/paths.ts'
import { useEffect, useRef } from 'react'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { Link } from '../../render/Link.tsx'

type ContactFormProps = {
  /** The form's hour. The same text sent twice within it stores one message. */
  token: string
  maxMessage: number
  /** What a new message starts with. */
  initialMessage: string
  refused: FormFailure | null
}

/**
 * The browser's input limits: above the server's, so that its message shows, and below the form
 * limit.
 */
const roomFactor = 1.3

export function ContactForm({ token, maxMessage, initialMessage, refused }: ContactFormProps) {
  const sending = useNavigation().state !== 'idle'
  const { values = {}, fields = {} } = refused ?? {}
  const hasFieldErrors = Object.keys(fields).length > 0
  return (
    <PostForm action={paths.contact} className="mt-5 space-y-5">
      {refused ? (
        <ErrorSummary
          title={
            hasFieldErrors
              ? 'Your message was not sent. Check the fields below.'
              : (refused.message ?? 'Your message was not sent')
          }
          fields={fields}
        />
      ) : null}
      <input type="hidden" name="token" value={token} />
      <Field
        id="name"
        name="name"
        label="Name"
        autoComplete="name"
        defaultValue={values['name']}
        error={fields['name']}
      />
      <Field
        id="email"
        name="email"
        type="email"
        label="Email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        defaultValue={values['email']}
        error={fields['email']}
        hint="We’ll reply to this address."
      />
      <TextAreaField
        id="message"
        name="message"
        label="Message"
        rows={8}
        maxLength={Math.round(maxMessage * roomFactor)}
        defaultValue={values['message'] ?? initialMessage}
        error={fields['message']}
        hint={`Up to ${maxMessage.toLocaleString('en-US')} characters. Don’t include health details or card numbers.`}
      />
      <Button kind="primary" className="w-full sm:w-auto sm:min-w-48" aria-disabled={sending || undefined}>
        {sending ? 'Sending…' : 'Send Message'}
      </Button>
    </PostForm>
  )
}

/** The confirmation after sending. It takes focus, because the form that had it was replaced. */
export function ContactSent({ outboxHref }: { outboxHref: string | null }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={box} tabIndex={-1} className="mt-5 rounded-box border border-success/50 bg-base-100 p-4">
      <p className="font-semibold text-success">What happens next</p>
      <p className="mt-1">We’ll read your message and reply to the email address you entered.</p>
      {outboxHref ? (
        <p className="mt-2">
          This is a demo:{' '}
          <Link to={outboxHref} className="text-link">
            read the email in the outbox
          </Link>
          .
        </p>
      ) : null}
    </div>
  )
}
