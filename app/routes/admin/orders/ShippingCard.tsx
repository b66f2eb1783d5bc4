import type { AdminOrderDetails, OrderShipment } from '#domain/orders/admin-orders.ts'
import { carriers } from '#domain/orders/carriers.ts'
import { useId, type Ref } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { toCallFailure, trpc, type CallFailure } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { Field } from '../../../ui/Field.tsx'
import { ExternalLink } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { reportBadInput } from '../frame/report-bad-input.ts'
import { useRowEdit } from '../frame/use-row-edit.ts'
import { useCan } from '../frame/use-can.ts'
import { AdminCard, Facts } from './AdminCard.tsx'
import type { TypedShipment } from './use-status-change.ts'

type FormValues = { [Name in keyof OrderShipment]: string }
const labels = {
  carrier: 'Carrier',
  trackingNumber: 'Tracking number',
  estimatedDelivery: 'Estimated delivery',
} as const satisfies Record<keyof FormValues, string>
const fieldNames = Object.keys(labels) as (keyof FormValues)[]

const toShipment = ({ carrier, trackingNumber, estimatedDelivery }: OrderShipment): OrderShipment => ({
  carrier,
  trackingNumber,
  estimatedDelivery,
})
const toFormValues = ({ carrier, trackingNumber, estimatedDelivery }: OrderShipment): FormValues => ({
  carrier: carrier ?? '',
  trackingNumber: trackingNumber ?? '',
  estimatedDelivery: estimatedDelivery ?? '',
})
const isSame = (a: FormValues, b: FormValues): boolean => fieldNames.every((name) => a[name] === b[name])

const isShipmentField = (name: string): boolean => Object.hasOwn(labels, name)
const isShipment = (current: unknown): current is OrderShipment =>
  typeof current === 'object' && current !== null

/**
 * The typed carrier, tracking number and date of an order. They survive a reload of the order, such
 * as the one after a note is added.
 */
export function useShipmentEdit(order: AdminOrderDetails) {
  const { id } = order
  const utils = trpc.useUtils()
  const shipment = toShipment(order)
  const edit = useRowEdit({ row: shipment, initialValues: toFormValues(shipment), toFormValues, labels })
  const { values, base } = edit
  const { mutateAsync, isPending } = trpc.orders.saveShipment.useMutation()
  const isEdited = !isSame(values, toFormValues(base))
  if (!isEdited && !isSame(toFormValues(base), toFormValues(order))) {
    edit.reset(shipment)
  }
  const typed = (): OrderShipment => ({ ...values, estimatedDelivery: values.estimatedDelivery || null })
  // Queries are never stale by themselves: without this, the order as it was before the save.
  const continueFromSaved = async (): Promise<void> =>
    edit.continueFrom(toShipment(await utils.orders.get.fetch({ id }, { staleTime: 0 })), values)
  const showRefusal = (failure: CallFailure): void => {
    const { current, fields } = failure
    if (isShipment(current)) edit.fail({ ...failure, current })
    else if (Object.keys(fields).some(isShipmentField)) edit.fail({ ...failure, current: null })
  }
  return {
    ...edit,
    isEdited,
    isPending,
    save: async (): Promise<void> => {
      await mutateAsync({ ...typed(), id, expected: base })
      await continueFromSaved()
      showToast({ kind: 'success', title: 'Shipment saved' })
    },
    /** Saves the typed values with another change of the order. A refusal appears at the form. */
    withShipment: async <Result,>(send: (typed: TypedShipment) => Promise<Result>): Promise<Result> => {
      if (!isEdited) return send({})
      const result = await send({ ...typed(), expectedShipment: base }).catch((error: unknown) => {
        showRefusal(toCallFailure(error))
        throw error
      })
      // If this fails, the values stay as typed. Saving them again changes nothing.
      await continueFromSaved().catch(() => undefined)
      return result
    },
  }
}

type ShippingCardProps = {
  order: AdminOrderDetails
  shipment: ReturnType<typeof useShipmentEdit>
  /** Its form. */
  ref: Ref<HTMLFormElement>
}

/** Where an order ships to, and its carrier and tracking number. */
export function ShippingCard({ order, shipment, ref }: ShippingCardProps) {
  const canShip = useCan()('orders.ship')
  const listId = useId()
  const { values, errors, stale, isPending, isEdited } = shipment
  return (
    <AdminCard title="Shipping">
      <div className="grid gap-4 md:grid-cols-2">
        <address className="wrap-anywhere not-italic">
          {order.customerName ? <b className="block">{order.customerName}</b> : null}
          {order.shippingLines.map((line, index) => (
            <span key={`${index} ${line}`} className="block">
              {line}
            </span>
          ))}
          {order.estimatedDelivery ? (
            <span className="mt-2 block text-muted">Expected by {formatDay(order.estimatedDelivery)}</span>
          ) : null}
          {order.trackingUrl ? (
            <a
              href={order.trackingUrl}
              target="_blank"
              rel="noreferrer"
              className="text-link mt-2 inline-flex items-center gap-1 print:hidden"
              aria-label={`Track the package at ${order.carrier} (opens in a new tab)`}
            >
              Track the package
              <ExternalLink className="size-3.5" />
            </a>
          ) : null}
        </address>
        {canShip ? (
          <form
            ref={ref}
            noValidate
            className="grid gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              if (!isPending && !stale && !reportBadInput(event.currentTarget))
                void shipment.submit(shipment.save)
            }}
          >
            {stale ? <StaleNotice {...stale} /> : null}
            {fieldNames.map((name) => (
              <Field
                key={name}
                label={labels[name]}
                name={name}
                autoComplete="off"
                value={values[name]}
                error={errors[name]}
                {...(name === 'estimatedDelivery' && { type: 'date' })}
                {...(name === 'carrier' && { list: listId })}
                onChange={(event) => shipment.update({ [name]: event.currentTarget.value })}
              />
            ))}
            <datalist id={listId}>
              {carriers.map((carrier) => (
                <option key={carrier}>{carrier}</option>
              ))}
            </datalist>
            <p className="text-muted print:hidden">
              We email the tracking number to the customer when the order ships, or when you add it later.
              {isEdited ? ' Applying any status except Cancelled saves what you typed here.' : null}
            </p>
            <div className="print:hidden">
              <Button aria-disabled={isPending || Boolean(stale) || !isEdited || undefined}>
                Save shipment
              </Button>
            </div>
          </form>
        ) : (
          <Facts
            facts={[
              [labels.carrier, order.carrier ?? '–'],
              [labels.trackingNumber, order.trackingNumber ?? '–'],
              [labels.estimatedDelivery, order.estimatedDelivery ? formatDay(order.estimatedDelivery) : '–'],
            ]}
          />
        )}
      </div>
    </AdminCard>
  )
}
