import { paths } from '#domain/paths.ts'
import type { FormFailure } from './form-failure.ts'
import type { ToastMessage } from '../ui/toasts.ts'

/** What the cart answers: that it is done, or what was refused and what had been typed. */
export type CartReply = { done: string; notice: ToastMessage | null } | FormFailure

/** Where a script posts what it changes of the cart without leaving the page. */
export const cartTarget = { method: 'post', action: paths.cart } as const
