import type { DeskOrder, StatusWeight } from '#domain/orders/admin-orders.ts'
import { canCancel, orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { failureOf, trpc } from '../../../http/trpc.ts'
import type { BulkResult } from '../../../ui/data-grid/BulkBar.tsx'
import { showToast } from '../../../ui/toasts.ts'

export type SetOrder = Pick<DeskOrder, 'id' | 'status' | 'isCalledOff'>
type Target = { ids: string[] } | { query: Record<string, string> }

/** What is asked before it is done. */
export type Asked = { status: OrderStatus; weight: StatusWeight; go: () => void }

type Shown = {
  /** Shows the new status before the server has it. Returns what takes that back. */
  patch: (ids: ReadonlySet<string>, status: OrderStatus) => () => void
  /** Asks the server how it stands. */
  settle: () => Promise<unknown>
}

/** So many orders a call: what is on its way can be told, and none takes long. */
const perCall = 250

const oneFailed = 'Failed to update order status'
const manyFailed = 'Failed to update selected orders'

const toastFailure = (text: string): void => showToast({ kind: 'error', title: 'Update Failed', text })
const nameOf = (id: string): string => `Order ${orderRef(id)}`

/**
 * Sets the status of one order or of many: shown at once and taken back where it is refused, each refusal with its reason. What cancels is
 * weighed and asked about first. There is no undo, for customers are mailed.
 */
export function useStatusChange(shown: Shown) {
  const utils = trpc.useUtils()
  const { mutateAsync: setStatus } = trpc.orders.setStatus.useMutation()
  const { mutateAsync: setStatuses } = trpc.orders.setStatuses.useMutation()
  const [asked, ask] = useState<Asked | null>(null)
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null)
  const latest = useRef(shown)
  useEffect(() => {
    latest.current = shown
  })

  const setOne = useCallback(
    async ({ id, status: was }: SetOrder, status: OrderStatus): Promise<void> => {
      const go = async (): Promise<void> => {
        const takeBack = latest.current.patch(new Set([id]), status)
        setResults(null)
        try {
          await setStatus({ id, status, was })
        } catch (error) {
          takeBack()
          toastFailure(oneFailed)
          setResults([{ id, name: nameOf(id), error: failureOf(error).message }])
        }
        await latest.current.settle()
      }
      if (status !== 'cancelled' || !canCancel(was)) return go()
      try {
        const weight = await utils.orders.weighStatus.fetch({ target: { ids: [id] }, status })
        ask({ status, weight, go: () => void go() })
      } catch (error) {
        toastFailure(oneFailed)
        setResults([{ id, name: nameOf(id), error: failureOf(error).message }])
      }
    },
    [setStatus, utils],
  )

  const setMany = useCallback(
    async (target: Target, status: OrderStatus, onDone: () => void): Promise<void> => {
      const go = async (ids: readonly string[]): Promise<void> => {
        const takeBack = latest.current.patch(new Set(ids), status)
        const found: BulkResult[] = []
        setResults(null)
        try {
          for (let at = 0; at < ids.length; at += perCall) {
            setProgress({ done: at, of: ids.length })
            const part = await setStatuses({ ids: ids.slice(at, at + perCall), status })
            found.push(...part.map(({ id, error }) => ({ id, name: nameOf(id), error })))
          }
          onDone()
        } catch (error) {
          takeBack()
          const told = new Set(found.map(({ id }) => id))
          const { message } = failureOf(error)
          found.push(...ids.flatMap((id) => (told.has(id) ? [] : [{ id, name: nameOf(id), error: message }])))
        }
        setProgress(null)
        setResults(found)
        if (found.some(({ error }) => error !== null)) toastFailure(manyFailed)
        await latest.current.settle()
      }
      try {
        const weight = await utils.orders.weighStatus.fetch({ target, status })
        const mustAsk = weight.calledOff > 0 || 'query' in target
        if (mustAsk) ask({ status, weight, go: () => void go(weight.ids) })
        else await go(weight.ids)
      } catch (error) {
        toastFailure(manyFailed)
        setResults([{ id: 'all', name: orderBadges[status].label, error: failureOf(error).message }])
      }
    },
    [setStatuses, utils],
  )

  return {
    setOne,
    setMany,
    asked,
    forget: useCallback(() => ask(null), []),
    results,
    dismiss: useCallback(() => setResults(null), []),
    progress,
  }
}
