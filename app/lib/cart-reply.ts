import type { ToastMessage } from '../ui/toasts.ts'

type Refusal = {
  intent: string
  values: Record<string, string>
  message: string | null
  fields: Record<string, string>
  /** Nobody heard of it: the connection failed. */
  unreached?: boolean
}

/** What the cart answers: that it is done, or what was refused and what had been typed. */
export type CartReply = { done: string; notice: ToastMessage | null } | Refusal

/** Where a script posts what it changes of the cart without leaving the page. */
export const cartTarget = { method: 'post', action: '/cart' } as const
