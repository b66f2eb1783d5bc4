import type { ToastMessage } from '../ui/toasts.ts'

/** What the cart answers: that it is done, or what was refused and what had been typed. */
export type CartReply =
  | { done: string; notice: ToastMessage | null }
  | {
      intent: string
      values: Record<string, string>
      message: string | null
      fields: Record<string, string>
      /** Nobody heard of it: the connection failed. */
      unreached?: boolean
    }

/** Where a script posts what it changes of the cart without leaving the page: to the root, beside the cart's data. */
export const cartTarget = { method: 'post', action: '/' } as const

export const unreachedReply: CartReply = {
  intent: '',
  values: {},
  message: 'We were not reached. Please check your connection and try again.',
  fields: {},
  unreached: true,
}
