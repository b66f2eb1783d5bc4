import { useState } from 'react'
import { CodeField } from '../../../components/CodeField.tsx'
import { answerCodePrompt, useCodePrompt } from '../../../http/recent-code.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogForm } from './DialogForm.tsx'

/** Asks for a code of the second factor before a change that needs a recent one. */
export function CodePrompt() {
  const isOpen = useCodePrompt()
  return (
    <Dialog open={isOpen} onClose={() => answerCodePrompt(false)} title="Confirm it’s you">
      {isOpen ? <CodeForm /> : null}
    </Dialog>
  )
}

function CodeForm() {
  const [code, setCode] = useState('')
  const { mutate, isPending, error } = trpc.session.confirm.useMutation({
    onSuccess: () => answerCodePrompt(true),
  })
  const failure = error && toCallFailure(error)
  return (
    <DialogForm
      submitLabel="Continue"
      isDisabled={isPending}
      onSubmit={() => mutate({ code })}
      onCancel={() => answerCodePrompt(false)}
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
