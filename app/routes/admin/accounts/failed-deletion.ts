import { toCallFailure } from '../../../http/trpc.ts'
import type { ToastMessage } from '../../../ui/toasts.ts'

/** What to show when a user was not deleted; null when the admin cancelled the question. */
export function failedDeletion(error: unknown): ToastMessage | null {
  const { code, message } = toCallFailure(error)
  if (code === 'CONFIRMATION_REQUIRED') return null
  const text = code === null || code === 'INTERNAL' ? 'Failed to delete user' : message
  return { kind: 'error', title: 'Delete Failed', text }
}
