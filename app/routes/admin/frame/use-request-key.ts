import { newId } from '#domain/ids.ts'
import { useRef } from 'react'
import type { CallFailure } from '../../../http/trpc.ts'

/**
 * The key of the request of a form that creates a row. A request whose response was lost may have
 * created it. Sent again, it must not create another, so the key stays. Otherwise a refusal ends
 * it: nothing was saved, and the row's id has the key's time.
 */
export function useRequestKey() {
  const key = useRef<string | null>(null)
  const isResponseLost = useRef(false)
  return {
    /** The key, which the first request makes. */
    get: (): string => (key.current ??= newId()),
    onFailure: ({ code, fields }: CallFailure): void => {
      if (code === null) isResponseLost.current = true
      else if (!isResponseLost.current && Object.keys(fields).length > 0) key.current = null
    },
  }
}
