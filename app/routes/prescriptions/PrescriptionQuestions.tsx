import { paths } from '#domain/paths.ts'
import { questionBounds, type Question } from '#domain/prescriptions/prescription-review.ts'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/Field.tsx'

const quote =
  'mt-3 rounded-field border-s-4 border-line bg-base-200 px-3 py-2 wrap-anywhere whitespace-pre-line'

/**
 * The pharmacy's questions about a prescription, with the answers. A pending question can be
 * answered here.
 */
export const PrescriptionQuestions = ({
  questions,
  isOpen,
}: {
  questions: readonly Question[]
  /** Whether the prescription is still under review. */
  isOpen: boolean
}) =>
  questions.map(({ id, question, answer }) => (
    <div key={id}>
      <p className={quote}>
        <b className="font-semibold">The pharmacy asked:</b> {question}
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

/** Ignores a second submit while one is pending. */
function AnswerForm({ id }: { id: string }) {
  const { formData } = useNavigation()
  const isSending = formData?.get('id') === id
  return (
    <Form
      method="post"
      action={paths.prescriptions}
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
