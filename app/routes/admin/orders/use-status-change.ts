import type { AdminOrder, StatusChangePreview } from '#domain/orders/admin-orders.ts'
import { canCancel, orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import type { BulkResult } from '../../../ui/data-grid/BulkBar.tsx'
import { showToast } from '../../../ui/toasts.ts'

export type StatusOrder = Pick<AdminOrder, 'id' | 'status' | 'isCancelledBeforeShipment'>
type Target = { ids: string[] } | { query: Record<string, string> }

/** A status change that waits for the admin's confirmation. */
export type PendingConfirmation = { status: OrderStatus; preview: StatusChangePreview; apply: () => void }

type StatusView = {
  /** Shows the new status before the server has it. Returns a function that reverts that. */
  patch: (ids: ReadonlySet<string>, status: OrderStatus) => () => void
  /** Reloads from the server. */
  refresh: () => Promise<unknown>
}

/** Orders per call: each call is short, and the admin sees progress between them. */
const batchSize = 250

const orderFailed = 'Failed to update order status'
const ordersFailed = 'Failed to update selected orders'

const toastFailure = (text: string): void => showToast({ kind: 'error', title: 'Update Failed', text })
const orderName = (id: string): string => `Order ${orderRef(id)}`

/**
 * Sets the status of one or many orders. The new status shows at once and is reverted where the
 * server refuses it, with the reason. A change that cancels orders is previewed and confirmed
 * first. There is no undo: customers get an email.
 */
export function useStatusChange(view: StatusView) {
  const utils = trpc.useUtils()
  const { mutateAsync: setStatus } = trpc.orders.setStatus.useMutation()
  const { mutateAsync: setStatuses } = trpc.orders.setStatuses.useMutation()
  const [pending, setPending] = useState<PendingConfirmation | null>(null)
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null)
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })

  const setOrderStatus = useCallback(
    async ({ id, status: previous }: StatusOrder, status: OrderStatus): Promise<void> => {
      const apply = async (): Promise<void> => {
        const revert = latest.current.patch(new Set([id]), status)
        setResults(null)
        try {
          await setStatus({ id, status, expectedStatus: previous })
        } catch (error) {
          revert()
          toastFailure(orderFailed)
          setResults([{ id, name: orderName(id), error: toCallFailure(error).message }])
        }
        await latest.current.refresh()
      }
      if (status !== 'cancelled' || !canCancel(previous)) return apply()
      try {
        const preview = await utils.orders.previewStatusChange.fetch({ target: { ids: [id] }, status })
        setPending({ status, preview, apply: () => void apply() })
      } catch (error) {
        toastFailure(orderFailed)
        setResults([{ id, name: orderName(id), error: toCallFailure(error).message }])
      }
    },
    [setStatus, utils],
  )

  const setOrderStatuses = useCallback(
    async (target: Target, status: OrderStatus, onDone: () => void): Promise<void> => {
      const apply = async (ids: readonly string[]): Promise<void> => {
        const revert = latest.current.patch(new Set(ids), status)
        const outcomes: BulkResult[] = []
        setResults(null)
        try {
          for (let start = 0; start < ids.length; start += batchSize) {
            setProgress({ done: start, of: ids.length })
            const results = await setStatuses({ ids: ids.slice(start, start + batchSize), status })
            outcomes.push(...results.map(({ id, error }) => ({ id, name: orderName(id), error })))
          }
          onDone()
        } catch (error) {
          revert()
          const reported = new Set(outcomes.map(({ id }) => id))
          const { message } = toCallFailure(error)
          outcomes.push(
            ...ids.flatMap((id) => (reported.has(id) ? [] : [{ id, name: orderName(id), error: message }])),
          )
        }
        setProgress(null)
        setResults(outcomes)
        if (outcomes.some(({ error }) => error !== null)) toastFailure(ordersFailed)
        await latest.current.refresh()
      }
      try {
        const preview = await utils.orders.previewStatusChange.fetch({ target, status })
        const needsConfirmation = preview.cancelled > 0 || 'query' in target
        if (needsConfirmation) setPending({ status, preview, apply: () => void apply(preview.ids) })
        else await apply(preview.ids)
      } catch (error) {
        toastFailure(ordersFailed)
        setResults([{ id: 'all', name: orderBadges[status].label, error: toCallFailure(error).message }])
      }
    },
    [setStatuses, utils],
  )

  return {
    setOrderStatus,
    setOrderStatuses,
    pending,
    dismissPending: useCallback(() => setPending(null), []),
    results,
    dismiss: useCallback(() => setResults(null), []),
    progress,
  }
}
