import { paths } from '#domain/paths.ts'
import type { FormFailure } from './form-failure.ts'
import type { ToastMessage } from '../ui/toasts.ts'

/** The cart's response: the change and its message, or the failure with the typed values. */
export type CartReply = { done: string; notice: ToastMessage | null } | FormFailure

/** Where scripts post cart changes without leaving the page. */
export const cartTarget = { method: 'post', action: paths.cart } as const
