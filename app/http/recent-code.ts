import type { AppRouter } from '#server/trpc/router.ts'
import type { TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import { useSyncExternalStore } from 'react'

/** Called with whether the user gave a code. */
type Resolve = (isConfirmed: boolean) => void

let pending: Resolve | null = null
const listeners = new Set<() => void>()

/** Another call that needs a code cancels the one before. */
function setPending(next: Resolve | null): void {
  const before = pending
  pending = next
  if (next) before?.(false)
  for (const listener of listeners) listener()
}

/** Sends the waiting call again, or lets it fail. */
export function answerCodePrompt(isConfirmed: boolean): void {
  const resolve = pending
  setPending(null)
  resolve?.(isConfirmed)
}

/** Whether a call waits for a code. */
export const useCodePrompt = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending !== null,
    () => false,
  )

/** When a change needs a recent code, asks for one and sends the change again. */
export const recentCodeLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let call: Unsubscribable
      const send = (canAsk: boolean): void => {
        call = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            if (!canAsk || error.data?.code !== 'CODE_REQUIRED') return observer.error(error)
            setPending((isConfirmed) => (isConfirmed ? send(false) : observer.error(error)))
          },
        })
      }
      send(true)
      return () => call.unsubscribe()
    })
