import { parseCents } from '#domain/money.ts'
import type { AdminOrderLine, AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { DialogButtons } from '../frame/DialogForm.tsx'
import { money } from '../frame/money.ts'
import { fullLineName } from './line-name.ts'

type RefundDialogProps = { order: AdminOrderDetails; open: boolean; onClose: () => void }

/** Refunds all or some of an order's lines, and optionally returns them to stock. */
export const RefundDialog = ({ order, open, onClose }: RefundDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Refund">
    {open ? <RefundForm order={order} onClose={onClose} /> : null}
  </Dialog>
)

type LineRefund = { quantity: number; restock: boolean }

const refundableQuantity = ({ quantity, refunded }: AdminOrderLine): number => quantity - refunded

function RefundForm({ order, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { id, items, leftToRefund, status } = order
  const utils = trpc.useUtils()
  const [key] = useState(() => crypto.randomUUID())
  const isShipped = status === 'shipped' || status === 'delivered'
  const [lineRefunds, setLineRefunds] = useState<Readonly<Record<string, LineRefund>>>(() =>
    Object.fromEntries(
      items.map((line) => [line.id, { quantity: 0, restock: !isShipped && line.isTracked }]),
    ),
  )
  const [error, setError] = useState<string | null>(null)
  const { mutateAsync, isPending } = trpc.orders.refund.useMutation()
  const change = (line: AdminOrderLine, to: Partial<LineRefund>) =>
    setLineRefunds((previous) => ({
      ...previous,
      [line.id]: { quantity: 0, restock: false, ...previous[line.id], ...to },
    }))
  const selectedLines = items.flatMap((line) => {
    const { quantity = 0, restock = false } = lineRefunds[line.id] ?? {}
    // Another admin may have refunded some of it since.
    const refundable = Math.min(quantity, refundableQuantity(line))
    return refundable > 0 ? [{ line, quantity: refundable, restock }] : []
  })
  const cents = selectedLines.reduce(
    (sum, { line, quantity }) => sum + (parseCents(line.price) ?? 0) * quantity,
    0,
  )

  const submitRefund = async (): Promise<void> => {
    try {
      await mutateAsync({
        id,
        key,
        lines: selectedLines.map(({ line, quantity, restock }) => ({ lineId: line.id, quantity, restock })),
      })
      onClose()
      showToast({
        kind: 'success',
        title: 'Refund started',
        text: `${money(cents)} will go back to the customer’s card.`,
      })
      await utils.orders.invalidate()
    } catch (failure) {
      const { fields, message } = toCallFailure(failure)
      setError(Object.values(fields)[0] ?? message)
      // A request whose response was lost, or another admin, may have refunded some of it.
      await utils.orders.invalidate()
    }
  }
  return (
    <form
      ref={focusFirstField}
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void submitRefund()
      }}
    >
      <p>
        You can refund up to <b className="tabular-nums">{money(leftToRefund)}</b> of this order. We’ll email
        the customer when the refund is complete.
      </p>
      {error ? (
        <p role="alert" className="rounded-box border border-error p-3">
          {error}
        </p>
      ) : null}
      <ul className="grid gap-3">
        {items.map((line) => {
          const remaining = refundableQuantity(line)
          const { quantity = 0, restock = false } = lineRefunds[line.id] ?? {}
          const name = fullLineName(line, items)
          return (
            <li key={line.id} className="grid gap-1 border-b border-line pb-3">
              <span className="font-semibold wrap-anywhere">{name}</span>
              {remaining === 0 ? (
                <span className="text-muted">
                  {line.quantity === 1 ? 'Already refunded.' : `All ${line.quantity} are already refunded.`}
                </span>
              ) : (
                <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                  <label className="flex items-center gap-2">
                    <span>
                      Refund<span className="sr-only"> of {name}</span>
                    </span>
                    <span className="w-20">
                      <input
                        type="number"
                        className="input"
                        min={0}
                        max={remaining}
                        value={Math.min(quantity, remaining)}
                        onChange={(event) =>
                          change(line, {
                            quantity: Math.min(
                              remaining,
                              Math.max(0, Math.trunc(event.currentTarget.valueAsNumber || 0)),
                            ),
                          })
                        }
                      />
                    </span>
                    <span className="whitespace-nowrap text-muted">
                      of {remaining} at {money(line.price)}
                    </span>
                  </label>
                  {line.isTracked ? (
                    <label className="flex items-center gap-2">
                      <input
                        type="checkbox"
                        className="grid-check"
                        checked={restock}
                        onChange={(event) => change(line, { restock: event.currentTarget.checked })}
                      />
                      <span>
                        Return to stock<span className="sr-only">, {name}</span>
                      </span>
                    </label>
                  ) : null}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <DialogButtons>
        <Button
          type="button"
          kind="quiet"
          className="me-auto"
          onClick={() => items.forEach((line) => change(line, { quantity: refundableQuantity(line) }))}
        >
          Refund everything
        </Button>
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="danger" disabled={cents === 0} aria-disabled={isPending || undefined}>
          {cents === 0 ? 'Choose what to refund' : `Refund ${money(cents)}`}
        </Button>
      </DialogButtons>
    </form>
  )
}
