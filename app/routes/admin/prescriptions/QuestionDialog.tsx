import { questionBounds } from '#domain/prescriptions/prescription-review.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { DialogForm } from '../frame/DialogForm.tsx'

type QuestionDialogProps = {
  open: boolean
  patientName: string
  isBusy: boolean
  error: string | undefined
  onAsk: (question: string) => void
  onClose: () => void
}

/** Sends the customer a question; the review continues when they answer. */
export const QuestionDialog = ({ open, patientName, onClose, ...form }: QuestionDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Ask the customer">
    <p className="mb-3">
      <b>{patientName}</b> will read and answer it on their prescriptions page. The email only says that there
      is a question.
    </p>
    <QuestionForm onClose={onClose} {...form} />
  </Dialog>
)

function QuestionForm({ isBusy, error, onAsk, onClose }: Omit<QuestionDialogProps, 'open' | 'patientName'>) {
  const [question, setQuestion] = useState('')
  return (
    <DialogForm
      onSubmit={() => onAsk(question)}
      onCancel={onClose}
      submitLabel="Send question"
      isDisabled={isBusy}
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
    </DialogForm>
  )
}
