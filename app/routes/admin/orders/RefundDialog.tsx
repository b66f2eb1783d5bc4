import { parseCents } from '#domain/money.ts'
import type { DeskLine, DeskOrderDetails } from '#domain/orders/admin-orders.ts'
import { useState } from 'react'
import { failureOf, trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { beginHere } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { money } from '../frame/money.ts'

type RefundDialogProps = { order: DeskOrderDetails; open: boolean; onClose: () => void }

/** Gives money of an order back: all that is left, or of some lines, and puts them into stock again or not. */
export const RefundDialog = ({ order, open, onClose }: RefundDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Refund">
    {open ? <RefundForm order={order} onClose={onClose} /> : null}
  </Dialog>
)

type Asked = { quantity: number; restock: boolean }

const leftOf = ({ quantity, refunded }: DeskLine): number => quantity - refunded
const nameOf = ({ product, variant }: DeskLine): string =>
  variant.brandName ? `${product.name} (${variant.brandName})` : product.name

function RefundForm({ order, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { id, items, leftToRefund, status } = order
  const utils = trpc.useUtils()
  const [key] = useState(() => crypto.randomUUID())
  const hasLeft = status === 'shipped' || status === 'delivered'
  const [asked, setAsked] = useState<Readonly<Record<string, Asked>>>(() =>
    Object.fromEntries(items.map((line) => [line.id, { quantity: 0, restock: !hasLeft && line.isTracked }])),
  )
  const [error, setError] = useState<string | null>(null)
  const { mutateAsync, isPending } = trpc.orders.refund.useMutation()
  const change = (line: DeskLine, to: Partial<Asked>) =>
    setAsked((was) => ({ ...was, [line.id]: { quantity: 0, restock: false, ...was[line.id], ...to } }))
  const chosen = items.flatMap((line) => {
    const { quantity = 0, restock = false } = asked[line.id] ?? {}
    // Less may be left than was asked for: somebody else refunds, too.
    const most = Math.min(quantity, leftOf(line))
    return most > 0 ? [{ line, quantity: most, restock }] : []
  })
  const cents = chosen.reduce((sum, { line, quantity }) => sum + (parseCents(line.price) ?? 0) * quantity, 0)

  const send = async (): Promise<void> => {
    try {
      await mutateAsync({
        id,
        key,
        lines: chosen.map(({ line, quantity, restock }) => ({ lineId: line.id, quantity, restock })),
      })
      onClose()
      showToast({ kind: 'success', title: 'Refund begun', text: `${money(cents)} goes back to the card.` })
      await utils.orders.invalidate()
    } catch (thrown) {
      const { fields, message } = failureOf(thrown)
      setError(Object.values(fields)[0] ?? message)
      // An answer that was lost, or somebody else, may have refunded some of it.
      await utils.orders.invalidate()
    }
  }
  return (
    <form
      ref={beginHere}
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void send()
      }}
    >
      <p>
        <b className="tabular-nums">{money(leftToRefund)}</b> of this order is left to refund. The customer is
        told by email once the money is given.
      </p>
      {error ? (
        <p role="alert" className="rounded-box border border-error p-3">
          {error}
        </p>
      ) : null}
      <ul className="grid gap-3">
        {items.map((line) => {
          const left = leftOf(line)
          const { quantity = 0, restock = false } = asked[line.id] ?? {}
          const name = nameOf(line)
          return (
            <li key={line.id} className="grid gap-1 border-b border-line pb-3">
              <span className="font-semibold wrap-anywhere">{name}</span>
              {left === 0 ? (
                <span className="text-muted">
                  {line.quantity === 1 ? 'It is' : `All ${line.quantity} are`} refunded already.
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
                        max={left}
                        value={Math.min(quantity, left)}
                        onChange={(event) =>
                          change(line, {
                            quantity: Math.min(
                              left,
                              Math.max(0, Math.trunc(event.currentTarget.valueAsNumber || 0)),
                            ),
                          })
                        }
                      />
                    </span>
                    <span className="whitespace-nowrap text-muted">
                      of {left} at {money(line.price)}
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
                        Put back into stock<span className="sr-only">, {name}</span>
                      </span>
                    </label>
                  ) : null}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          type="button"
          kind="quiet"
          className="me-auto"
          onClick={() => items.forEach((line) => change(line, { quantity: leftOf(line) }))}
        >
          Everything left
        </Button>
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="danger" disabled={cents === 0} aria-disabled={isPending || undefined}>
          {cents === 0 ? 'Choose what to refund' : `Refund ${money(cents)}`}
        </Button>
      </div>
    </form>
  )
}
