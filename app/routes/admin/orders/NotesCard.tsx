import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { LeavePrompt } from '../frame/LeavePrompt.tsx'
import { AdminCard } from './AdminCard.tsx'

/**
 * The note whose response was lost may have been added: sent again, it has the same key. An edited
 * one is another note.
 */
const newDraft = (text: string): { text: string; requestKey: string } => ({
  text,
  requestKey: crypto.randomUUID(),
})

/**
 * Notes between admins about an order. No customer page shows them, but they are part of the
 * customer's data download.
 */
export function NotesCard({ order: { id, notes } }: { order: AdminOrderDetails }) {
  const utils = trpc.useUtils()
  const [draft, setDraft] = useState(() => newDraft(''))
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = trpc.orders.addNote.useMutation({
    onSuccess: async (_, { requestKey }) => {
      // The next note may have been typed since.
      setDraft((draft) => (draft.requestKey === requestKey ? newDraft('') : draft))
      setError(null)
      await utils.orders.get.invalidate({ id })
    },
    onError: (failure) => {
      const { fields, message } = toCallFailure(failure)
      setError(fields['text'] ?? message)
    },
  })
  return (
    <AdminCard title="Notes">
      {notes.length === 0 ? (
        <p className="mb-2 text-muted">No notes yet.</p>
      ) : (
        <ul className="mb-3 grid gap-2">
          {notes.map((note) => (
            <li key={note.id}>
              <p className="whitespace-pre-wrap wrap-anywhere">{note.text}</p>
              <p className="text-muted">
                {note.by}, <DateTime at={note.at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <form
        noValidate
        className="print:hidden"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) mutate({ id, ...draft })
        }}
      >
        <TextAreaField
          label="New note"
          name="text"
          rows={3}
          hint="Customers don’t see notes in the shop, but their data download includes them."
          value={draft.text}
          error={error ?? undefined}
          onChange={(event) => setDraft(newDraft(event.currentTarget.value))}
        />
        {draft.text.trim() === '' ? null : <LeavePrompt />}
        <Button className="mt-2" aria-disabled={isPending || undefined}>
          Add note
        </Button>
      </form>
    </AdminCard>
  )
}
