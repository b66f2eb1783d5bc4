import type {
  AdminOrder,
  OrderShipment,
  StatusChangePreview,
  StatusResult,
} from '#domain/orders/admin-orders.ts'
import { orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { undoSeconds } from '#domain/orders/status-change.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import type { BulkResult } from '../../../ui/data-grid/BulkBar.tsx'
import { clearUndo, offerUndo } from '../../../ui/data-grid/undo.ts'
import { showToast } from '../../../ui/toasts.ts'

export type StatusOrder = Pick<AdminOrder, 'id' | 'status' | 'isCancelledBeforeShipment'>
export type StatusTarget = { ids: string[] } | { query: Record<string, string> }

/** A status change that waits for the admin's confirmation. */
export type PendingConfirmation = { status: OrderStatus; preview: StatusChangePreview; apply: () => void }

type StatusView = {
  /** Shows the new status before the server has it. Returns a function that reverts that. */
  patch: (ids: ReadonlySet<string>, status: OrderStatus) => () => void
  /** Reloads from the server. */
  refresh: () => Promise<unknown>
  /** Sends the change of one order with what is typed about its shipment, where that can be. */
  withShipment?: <Result>(send: (typed: TypedShipment) => Promise<Result>) => Promise<Result>
}

/** A typed shipment with what its form showed; empty when nothing was typed. */
export type TypedShipment = Partial<OrderShipment> & { expectedShipment?: OrderShipment }

/** A cancelled order ships nothing: what is typed about its shipment stays in the form. */
export const savesShipment = (status: OrderStatus): boolean => status !== 'cancelled'

type Change = { id: string; changeId: string }

/** Orders per call: each call is short, and the admin sees progress between them. */
const batchSize = 250

const orderFailed = 'Failed to update order status'
const ordersFailed = 'Failed to update selected orders'

const toastFailure = (text: string): void => showToast({ kind: 'error', title: 'Update Failed', text })
const orderName = (id: string): string => `Order ${orderRef(id)}`
const toOutcome = ({
  id,
  error,
  isChanged,
}: Pick<StatusResult, 'id' | 'error' | 'isChanged'>): BulkResult => ({
  id,
  name: orderName(id),
  error,
  isChanged,
})
const toFailure = (id: string, error: string): BulkResult => toOutcome({ id, error, isChanged: false })

/**
 * Sets the status of one or many orders. The new status shows at once and is reverted where the
 * server refuses it, with the reason. A change that cancels orders is confirmed first. The others
 * can be undone while their emails wait.
 */
export function useStatusChange(view: StatusView) {
  const utils = trpc.useUtils()
  const { mutateAsync: setStatus } = trpc.orders.setStatus.useMutation()
  const { mutateAsync: setStatuses } = trpc.orders.setStatuses.useMutation()
  const { mutateAsync: undoStatus } = trpc.orders.undoStatus.useMutation()
  const { mutateAsync: undoStatuses } = trpc.orders.undoStatuses.useMutation()
  const [pending, setPending] = useState<PendingConfirmation | null>(null)
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null)
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })

  const preview = useCallback(
    (target: StatusTarget, status: OrderStatus) =>
      utils.client.orders.previewStatusChange.query({ target, status }),
    [utils],
  )

  const setOrderStatus = useCallback(
    async (
      { id, status: previous }: StatusOrder,
      status: OrderStatus,
      preview: StatusChangePreview,
    ): Promise<void> => {
      const apply = async (): Promise<void> => {
        const revert = latest.current.patch(new Set([id]), status)
        setResults(null)
        clearUndo()
        try {
          const { withShipment } = latest.current
          const send = (typed: TypedShipment) => setStatus({ ...typed, id, status, expectedStatus: previous })
          const { changeId } = await (withShipment && savesShipment(status) ? withShipment(send) : send({}))
          if (changeId !== null) {
            const text = `${orderName(id)} is now ${orderBadges[status].label}.`
            offerUndo(text, {
              undo: () => undoStatus({ id, changeId }),
              refresh: () => latest.current.refresh(),
              seconds: undoSeconds,
            })
          }
        } catch (error) {
          revert()
          toastFailure(orderFailed)
          setResults([toFailure(id, toCallFailure(error).message)])
        }
        await latest.current.refresh()
      }
      if (preview.cancelled > 0) setPending({ status, preview, apply: () => void apply() })
      else await apply()
    },
    [setStatus, undoStatus],
  )

  /** Undoes in the order in which the emails leave. */
  const undoAll = useCallback(
    async (changes: readonly Change[]): Promise<void> => {
      const outcomes: BulkResult[] = []
      for (let start = 0; start < changes.length; start += batchSize) {
        const reverted = await undoStatuses({ changes: changes.slice(start, start + batchSize) })
        outcomes.push(...reverted.map(toOutcome))
      }
      setResults(outcomes.some(({ error }) => error !== null) ? outcomes : null)
    },
    [undoStatuses],
  )

  const setOrderStatuses = useCallback(
    async (
      target: StatusTarget,
      status: OrderStatus,
      preview: StatusChangePreview,
      onDone: () => void,
    ): Promise<void> => {
      const { ids } = preview
      const apply = async (): Promise<void> => {
        const revert = latest.current.patch(new Set(ids), status)
        const outcomes: BulkResult[] = []
        const changes: Change[] = []
        setResults(null)
        clearUndo()
        try {
          for (let start = 0; start < ids.length; start += batchSize) {
            setProgress({ done: start, of: ids.length })
            const batch = ids.slice(start, start + batchSize)
            const results = await setStatuses({ ids: batch, status, of: ids.length })
            outcomes.push(...results.map(toOutcome))
            changes.push(
              ...results.flatMap(({ id, changeId }) => (changeId === null ? [] : [{ id, changeId }])),
            )
          }
          onDone()
        } catch (error) {
          revert()
          const reported = new Set(outcomes.map(({ id }) => id))
          const { message } = toCallFailure(error)
          outcomes.push(...ids.flatMap((id) => (reported.has(id) ? [] : [toFailure(id, message)])))
        }
        setProgress(null)
        setResults(outcomes)
        if (outcomes.some(({ error }) => error !== null)) toastFailure(ordersFailed)
        if (changes.length > 0) {
          const count =
            changes.length === 1 ? '1 order is' : `${changes.length.toLocaleString('en-US')} orders are`
          offerUndo(`${count} now ${orderBadges[status].label}.`, {
            undo: () => undoAll(changes),
            refresh: () => latest.current.refresh(),
            seconds: undoSeconds,
          })
        }
        await latest.current.refresh()
      }
      const needsConfirmation = preview.cancelled > 0 || 'query' in target
      if (needsConfirmation) setPending({ status, preview, apply: () => void apply() })
      else await apply()
    },
    [setStatuses, undoAll],
  )

  return {
    preview,
    setOrderStatus,
    setOrderStatuses,
    pending,
    dismissPending: useCallback(() => setPending(null), []),
    results,
    dismiss: useCallback(() => setResults(null), []),
    progress,
  }
}
