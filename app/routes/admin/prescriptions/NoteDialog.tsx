import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { DialogForm } from '../frame/DialogForm.tsx'

/** What a dialog with one text asks for. */
export type NoteRequest = {
  title: string
  /** Who will read the text, and what happens. */
  explanation: string
  label: string
  /** The field's name in the call's errors. */
  field: string
  maxLength: number
  submitLabel: string
  submitKind?: 'primary' | 'danger'
  /** A click fills in the text, which can then be edited. */
  suggestions?: readonly string[]
  /** A choice beside the text. */
  choice?: { label: string; options: Readonly<Record<string, string>> }
  onSubmit: (text: string, choice: string) => void
}

type NoteDialogProps = {
  request: NoteRequest | null
  isBusy: boolean
  error: string | undefined
  onClose: () => void
}

/** Asks for a reason, a question or a note. */
export const NoteDialog = ({ request, isBusy, error, onClose }: NoteDialogProps) => (
  <Dialog open={request !== null} onClose={onClose} title={request?.title ?? ''}>
    {request ? (
      <>
        <p className="mb-3">{request.explanation}</p>
        <NoteForm request={request} isBusy={isBusy} error={error} onClose={onClose} />
      </>
    ) : null}
  </Dialog>
)

function NoteForm({
  request,
  isBusy,
  error,
  onClose,
}: Omit<NoteDialogProps, 'request'> & { request: NoteRequest }) {
  const { label, field, maxLength, submitLabel, submitKind = 'primary', suggestions = [], choice } = request
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(Object.keys(choice?.options ?? {})[0] ?? '')
  return (
    <DialogForm
      onSubmit={() => request.onSubmit(text, chosen)}
      onCancel={onClose}
      submitLabel={submitLabel}
      submitKind={submitKind}
      isDisabled={isBusy}
    >
      {choice ? (
        <SelectField
          label={choice.label}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {Object.entries(choice.options).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : null}
      <TextAreaField
        label={label}
        name={field}
        rows={4}
        required
        maxLength={maxLength}
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {suggestions.length > 0 ? (
        <div role="group" aria-label="Common texts" className="flex flex-wrap gap-1">
          {suggestions.map((sentence) => (
            <Button key={sentence} type="button" onClick={() => setText(sentence)}>
              {sentence}
            </Button>
          ))}
        </div>
      ) : null}
    </DialogForm>
  )
}
