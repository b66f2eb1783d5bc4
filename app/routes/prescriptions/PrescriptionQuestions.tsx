import { questionBounds, type Question } from '#domain/prescriptions/prescription-review.ts'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/Field.tsx'

const quote =
  'mt-3 rounded-field border-s-4 border-line bg-base-200 px-3 py-2 wrap-anywhere whitespace-pre-line'

/** What the pharmacy asked about a prescription of one's own, with the answers; one that waits for it can be answered here. */
export const PrescriptionQuestions = ({
  questions,
  isOpen,
}: {
  questions: readonly Question[]
  /** Whether the review goes on, so that an answer is read. */
  isOpen: boolean
}) =>
  questions.map(({ id, question, answer }) => (
    <div key={id}>
      <p className={quote}>
        <b className="font-semibold">The pharmacy asks:</b> {question}
      </p>
      {answer === null ? (
        isOpen ? (
          <AnswerForm id={id} />
        ) : null
      ) : (
        <p className={quote}>
          <b className="font-semibold">Your answer:</b> {answer}
        </p>
      )}
    </div>
  ))

/** A second press while the first is on its way sends nothing. */
function AnswerForm({ id }: { id: string }) {
  const { formData } = useNavigation()
  const isSending = formData?.get('id') === id
  return (
    <Form
      method="post"
      action="/prescriptions"
      className="mt-3"
      onSubmit={(event) => {
        if (isSending) event.preventDefault()
      }}
    >
      <input type="hidden" name="id" value={id} />
      <TextAreaField
        label="Your answer"
        name="answer"
        rows={3}
        required
        maxLength={questionBounds.answer}
        autoComplete="off"
      />
      <Button
        kind="primary"
        className="mt-3"
        name="intent"
        value="answer"
        aria-disabled={isSending || undefined}
      >
        {isSending ? 'Sending…' : 'Send answer'}
      </Button>
    </Form>
  )
}
