import { useState } from 'react'
import { CodeField } from '../../../components/CodeField.tsx'
import { answerCallPrompt, useCallPrompt } from '../../../http/call-prompts.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogForm } from './DialogForm.tsx'

/** Asks for what a change waits for: a code of the second factor, or a confirmation. */
export function CallPrompt() {
  const prompt = useCallPrompt()
  const question = prompt?.question
  return (
    <Dialog
      open={prompt !== null}
      onClose={cancel}
      title={question ? 'Confirm this change' : 'Confirm it’s you'}
      {...(question && { role: 'alertdialog' })}
    >
      {question ? (
        <DialogForm
          submitLabel="Confirm"
          submitKind="danger"
          isDisabled={false}
          onSubmit={() => answerCallPrompt(true)}
          onCancel={cancel}
        >
          <p>{question}</p>
        </DialogForm>
      ) : prompt ? (
        <CodeForm />
      ) : null}
    </Dialog>
  )
}

const cancel = (): void => answerCallPrompt(false)

function CodeForm() {
  const [code, setCode] = useState('')
  const { mutate, isPending, error } = trpc.session.confirm.useMutation({
    onSuccess: () => answerCallPrompt(true),
  })
  const failure = error && toCallFailure(error)
  return (
    <DialogForm
      submitLabel="Continue"
      isDisabled={isPending}
      onSubmit={() => mutate({ code })}
      onCancel={cancel}
    >
      <p>This change needs a code from the last 10 minutes.</p>
      <CodeField
        value={code}
        error={failure ? (failure.fields['code'] ?? failure.message) : undefined}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
