import type { AppRouter } from '#server/trpc/router.ts'
import type { TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import { useSyncExternalStore } from 'react'

/** What a change waits for. */
type CallPrompt = {
  /** Which consequences to confirm; null for a code of the second factor. */
  question: string | null
  /** Called with whether the user confirmed, or gave a code. */
  resolve: (isGiven: boolean) => void
}

let pending: CallPrompt | null = null
const listeners = new Set<() => void>()

/** Another call that waits cancels the one before. */
function setPending(next: CallPrompt | null): void {
  const before = pending
  pending = next
  if (next) before?.resolve(false)
  for (const listener of listeners) listener()
}

/** Sends the waiting call again, or lets it fail. */
export function answerCallPrompt(isGiven: boolean): void {
  const answered = pending
  setPending(null)
  answered?.resolve(isGiven)
}

/** What a call waits for now. */
export const useCallPrompt = (): CallPrompt | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
    () => null,
  )

/**
 * When a change needs a recent code or a confirmation, asks for it and sends the change again. The
 * confirmation is written into the call's input, so each edit needs an input object of its own.
 */
export const callPromptLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let call: Unsubscribable
      const send = (asked: readonly unknown[]): void => {
        call = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            const code = error.data?.code
            const isQuestion = code === 'CONFIRMATION_REQUIRED'
            if (asked.includes(code) || !(isQuestion || code === 'CODE_REQUIRED'))
              return observer.error(error)
            setPending({
              question: isQuestion ? error.message : null,
              resolve: (isGiven) => {
                if (!isGiven) return observer.error(error)
                // In the caller's own object: what it sends again needs no second confirmation.
                if (isQuestion) Object.assign(op.input as object, { confirmed: true })
                send([...asked, code])
              },
            })
          },
        })
      }
      send([])
      return () => call.unsubscribe()
    })
