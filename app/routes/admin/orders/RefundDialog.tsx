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

/** What was typed as the units to refund, and whether they return to stock. */
type LineRefund = { typed: string; restock: boolean }

const refundableQuantity = ({ quantity, refunded }: AdminOrderLine): number => quantity - refunded

/** The typed units: none for an empty field, and null unless they are what is left at most. */
function parseUnits(typed: string, line: AdminOrderLine): number | null {
  const digits = typed.trim()
  // Number also reads "1e1" and "0x2".
  const units = /^\d{0,3}$/.test(digits) ? Number(digits) : null
  return units !== null && units <= refundableQuantity(line) ? units : null
}

const submitLabel = (isValid: boolean, cents: number): string => {
  if (!isValid) return 'Check the quantities'
  return cents === 0 ? 'Choose what to refund' : `Refund ${money(cents)}`
}

function RefundForm({ order, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { id, items, leftToRefund, status } = order
  const utils = trpc.useUtils()
  const [key] = useState(() => crypto.randomUUID())
  const isShipped = status === 'shipped' || status === 'delivered'
  const [lineRefunds, setLineRefunds] = useState<Readonly<Record<string, LineRefund>>>(() =>
    Object.fromEntries(items.map((line) => [line.id, { typed: '0', restock: !isShipped && line.isTracked }])),
  )
  const [error, setError] = useState<string | null>(null)
  const { mutateAsync, isPending } = trpc.orders.refund.useMutation()
  const change = (line: AdminOrderLine, to: Partial<LineRefund>) =>
    setLineRefunds((previous) => ({
      ...previous,
      [line.id]: { typed: '0', restock: false, ...previous[line.id], ...to },
    }))
  const lines = items.map((line) => {
    const { typed = '0', restock = false } = lineRefunds[line.id] ?? {}
    const isOpen = refundableQuantity(line) > 0
    return { line, typed, restock, units: isOpen ? parseUnits(typed, line) : 0 }
  })
  // Another admin may have refunded some of it since.
  const isValid = lines.every(({ units }) => units !== null)
  const selectedLines = lines.flatMap(({ line, units, restock }) =>
    units ? [{ line, quantity: units, restock }] : [],
  )
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
        if (!isPending && isValid) void submitRefund()
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
        {lines.map(({ line, typed, restock, units }) => {
          const remaining = refundableQuantity(line)
          const name = fullLineName(line, items)
          const errorId = `refund-error-${line.id}`
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
                        // A number field would hide what it can't read.
                        inputMode="numeric"
                        autoComplete="off"
                        className="input"
                        value={typed}
                        aria-invalid={units === null || undefined}
                        aria-describedby={units === null ? errorId : undefined}
                        onChange={(event) => change(line, { typed: event.currentTarget.value })}
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
                  {units === null ? (
                    <p id={errorId} className="basis-full text-sm font-medium text-error">
                      Enter a whole number from 0 to {remaining}.
                    </p>
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
          onClick={() => items.forEach((line) => change(line, { typed: String(refundableQuantity(line)) }))}
        >
          Refund everything
        </Button>
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          kind="danger"
          disabled={isValid && cents === 0}
          aria-disabled={isPending || !isValid || undefined}
        >
          {submitLabel(isValid, cents)}
        </Button>
      </DialogButtons>
    </form>
  )
}
