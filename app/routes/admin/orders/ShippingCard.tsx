import type { AdminOrderDetails, OrderShipment } from '#domain/orders/admin-orders.ts'
import { useId } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { Field } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { reportBadInput } from '../frame/report-bad-input.ts'
import { useRowEdit } from '../frame/use-row-edit.ts'
import { useCan } from '../frame/use-can.ts'
import { AdminCard, Facts } from './AdminCard.tsx'

const carriers = ['USPS', 'UPS', 'FedEx', 'DHL', 'Canada Post', 'Royal Mail']

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

/**
 * Where an order ships to, and its carrier and tracking number. Typed values survive a reload of
 * the order, such as the one after a note is added.
 */
export function ShippingCard({ order }: { order: AdminOrderDetails }) {
  const { id } = order
  const canShip = useCan()('orders.ship')
  const listId = useId()
  const utils = trpc.useUtils()
  const shipment = toShipment(order)
  const initialValues = toFormValues(shipment)
  const edit = useRowEdit({ row: shipment, initialValues, toFormValues, labels })
  const { values, base, errors, stale } = edit
  const { mutateAsync, isPending } = trpc.orders.saveShipment.useMutation()
  const isEdited = !isSame(values, toFormValues(base))
  if (!isEdited && !isSame(toFormValues(base), toFormValues(order))) {
    edit.reset(shipment)
  }

  const save = async (): Promise<void> => {
    await mutateAsync({
      id,
      expected: base,
      carrier: values.carrier,
      trackingNumber: values.trackingNumber,
      estimatedDelivery: values.estimatedDelivery || null,
    })
    // Queries are never stale by themselves: without this, the order as it was before the save.
    const saved = await utils.orders.get.fetch({ id }, { staleTime: 0 })
    edit.continueFrom(toShipment(saved), values)
    showToast({ kind: 'success', title: 'Shipment saved' })
  }
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
        </address>
        {canShip ? (
          <form
            noValidate
            className="grid gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              if (!isPending && !stale && !reportBadInput(event.currentTarget)) void edit.submit(save)
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
                onChange={(event) => edit.update({ [name]: event.currentTarget.value })}
              />
            ))}
            <datalist id={listId}>
              {carriers.map((carrier) => (
                <option key={carrier}>{carrier}</option>
              ))}
            </datalist>
            <p className="text-muted print:hidden">
              We email the tracking number to the customer when the order ships, or when you add it later.
            </p>
            <div className="print:hidden">
              <Button aria-disabled={isPending || Boolean(stale) || !isEdited || undefined}>
                Save shipment
              </Button>
            </div>
          </form>
        ) : (
          <Facts facts={fieldNames.map((name) => [labels[name], order[name] ?? '–'] as const)} />
        )}
      </div>
    </AdminCard>
  )
}
