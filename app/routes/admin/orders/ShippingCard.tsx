import type { AdminOrderDetails, OrderShipment } from '#domain/orders/admin-orders.ts'
import { useId, useState } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { Field } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { staleFields } from '../frame/use-row-edit.ts'
import { useStaleEdit } from '../frame/use-stale-edit.ts'
import { AdminCard } from './AdminCard.tsx'

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
  const listId = useId()
  const utils = trpc.useUtils()
  const { base, errors, current, rebase, run } = useStaleEdit(toShipment(order))
  const [values, setValues] = useState(toFormValues(order))
  const { mutateAsync, isPending } = trpc.orders.saveShipment.useMutation()
  const isEdited = !isSame(values, toFormValues(base))
  if (!isEdited && !isSame(toFormValues(base), toFormValues(order))) {
    rebase(toShipment(order))
    setValues(toFormValues(order))
  }

  const save = async (): Promise<void> => {
    await mutateAsync({
      id,
      was: base,
      carrier: values.carrier,
      trackingNumber: values.trackingNumber,
      estimatedDelivery: values.estimatedDelivery || null,
    })
    const saved = await utils.orders.read.fetch({ id })
    rebase(toShipment(saved))
    setValues(toFormValues(saved))
    showToast({ kind: 'success', title: 'Shipment saved' })
  }
  const submit = async (): Promise<void> => {
    const failure = await run(save)
    if (failure === null || failure.current !== null) return
    const text = Object.values(failure.fields)[0] ?? failure.message
    showToast({ kind: 'error', title: 'Update Failed', text })
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
        <form
          noValidate
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending && !current) void submit()
          }}
        >
          {current ? (
            <StaleNotice
              fields={staleFields(labels, values, toFormValues(current))}
              onUseCurrent={() => {
                setValues(toFormValues(current))
                rebase(current)
              }}
              onKeepEdit={() => rebase(current)}
            />
          ) : null}
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
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          ))}
          <datalist id={listId}>
            {carriers.map((carrier) => (
              <option key={carrier}>{carrier}</option>
            ))}
          </datalist>
          <p className="text-muted">
            We email the tracking number to the customer when the order ships, or when you add it later.
          </p>
          <div>
            <Button aria-disabled={isPending || Boolean(current) || !isEdited || undefined}>
              Save shipment
            </Button>
          </div>
        </form>
      </div>
    </AdminCard>
  )
}
