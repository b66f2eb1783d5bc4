import { questionBounds } from '#domain/prescriptions/prescription-review.ts'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { beginHere } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'

type AskDialogProps = {
  open: boolean
  patientName: string
  isBusy: boolean
  error: string | undefined
  onAsk: (question: string) => void
  onClose: () => void
}

/** Writes a question to the customer; the review goes on when they have answered. */
export const AskDialog = ({ open, patientName, onClose, ...form }: AskDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Ask the customer">
    <p className="mb-3">
      <b>{patientName}</b> reads and answers it on their page; the email only says that there is a question.
    </p>
    <QuestionForm onClose={onClose} {...form} />
  </Dialog>
)

function QuestionForm({ isBusy, error, onAsk, onClose }: Omit<AskDialogProps, 'open' | 'patientName'>) {
  const [question, setQuestion] = useState('')
  return (
    <form
      ref={beginHere}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(question)
      }}
    >
      <TextAreaField
        label="Question"
        name="question"
        rows={4}
        required
        maxLength={questionBounds.question}
        value={question}
        error={error}
        onChange={(event) => setQuestion(event.currentTarget.value)}
      />
      <div className="mt-4 flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={isBusy}>
          Send question
        </Button>
      </div>
    </form>
  )
}
