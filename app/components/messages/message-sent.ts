import type { ToastMessage } from '../../ui/toasts.ts'

/** The toast after a message to the pharmacy. */
export const messageSent = {
  kind: 'success',
  title: 'Message Sent',
  text: 'A pharmacist will answer. We’ll email you when they do.',
} as const satisfies ToastMessage
