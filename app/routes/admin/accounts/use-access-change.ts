import type { AccessChange } from '#domain/accounts/account-access.ts'
import type { AccessResult } from '#domain/accounts/user-rows.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import type { GridParams } from '../../../ui/data-grid/grid-url.ts'
import { showToast } from '../../../ui/toasts.ts'

type Pending = {
  change: AccessChange
  target: { ids: string[] } | { query: GridParams }
  /** A name, or a number of users. */
  label: string
}

/**
 * The state of `AccessDialog`: which change waits for its reason, and what went wrong.
 * @param onDone called with the result for each account
 */
export function useAccessChange(onDone: (results: AccessResult[], change: AccessChange) => void) {
  const [pending, setPending] = useState<Pending | null>(null)
  const [error, setError] = useState<string>()
  const { mutate, isPending } = trpc.users.changeAccess.useMutation({
    onSuccess: (results, { change }) => {
      setPending(null)
      onDone(results, change)
    },
    onError: (failure) => {
      const { fields, message } = toCallFailure(failure)
      setError(fields['reason'] ?? message)
    },
  })
  const ask = (next: Pending): void => {
    setError(undefined)
    setPending(next)
  }
  const dialog = {
    change: pending?.change ?? null,
    target: pending?.label ?? '',
    isBusy: isPending,
    error,
    onConfirm: (change: AccessChange, reason: string) =>
      pending && mutate({ target: pending.target, change, reason }),
    onClose: () => setPending(null),
  }
  return { ask, dialog }
}

const doneMessages: Record<AccessChange, (name: string) => string> = {
  suspend: (name) => `${name} is suspended.`,
  restore: (name) => `${name} can sign in again.`,
  'end-sessions': (name) => `${name} is signed out everywhere.`,
}

/** Reports the result for one account. */
export function showAccessResult({ error, name }: AccessResult, change: AccessChange): void {
  showToast(
    error === null
      ? { kind: 'success', title: 'Access changed', text: doneMessages[change](name) }
      : { kind: 'error', title: 'Access not changed', text: error },
  )
}
