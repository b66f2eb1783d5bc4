import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { DialogButtons } from '../frame/DialogForm.tsx'
import { money } from '../frame/money.ts'
import { fullLineName } from './line-name.ts'
import { RefundLine } from './RefundLine.tsx'
import { refundableQuantity, useRefundLines } from './use-refund-lines.ts'

type RefundDialogProps = { order: AdminOrderDetails; open: boolean; onClose: () => void }

/** Refunds all or some of an order's lines, and optionally returns them to stock. */
export const RefundDialog = ({ order, open, onClose }: RefundDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Refund">
    {open ? <RefundForm order={order} onClose={onClose} /> : null}
  </Dialog>
)

const submitLabel = (isValid: boolean, cents: number): string => {
  if (!isValid) return 'Check the quantities'
  return cents === 0 ? 'Choose what to refund' : `Refund ${money(cents)}`
}

function RefundForm({ order, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { id, items, leftToRefund } = order
  const utils = trpc.useUtils()
  const [key] = useState(() => crypto.randomUUID())
  const { lines, change, isValid, selectedLines, cents } = useRefundLines(order)
  const [error, setError] = useState<string | null>(null)
  const { mutateAsync, isPending } = trpc.orders.refund.useMutation()
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
        {lines.map((refund) => (
          <RefundLine
            key={refund.line.id}
            refund={refund}
            name={fullLineName(refund.line, items)}
            onChange={(to) => change(refund.line, to)}
          />
        ))}
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
