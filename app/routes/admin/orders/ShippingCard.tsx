import type { DeskOrderDetails, OrderShipment } from '#domain/orders/admin-orders.ts'
import { useId, useState } from 'react'
import { dayOf } from '../../../components/orders/order-labels.ts'
import { failureOf, trpc, type CallFailure } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { Field } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { staleFields } from '../frame/use-row-edit.ts'
import { DeskCard } from './AdminCard.tsx'

const carriers = ['USPS', 'UPS', 'FedEx', 'DHL', 'Canada Post', 'Royal Mail']

type Typed = { [Name in keyof OrderShipment]: string }
const labels = {
  carrier: 'Carrier',
  trackingNumber: 'Tracking number',
  estimatedDelivery: 'Estimated delivery',
} as const satisfies Record<keyof Typed, string>
const names = Object.keys(labels) as (keyof Typed)[]

const shipmentOf = ({ carrier, trackingNumber, estimatedDelivery }: OrderShipment): OrderShipment => ({
  carrier,
  trackingNumber,
  estimatedDelivery,
})
const typedOf = ({ carrier, trackingNumber, estimatedDelivery }: OrderShipment): Typed => ({
  carrier: carrier ?? '',
  trackingNumber: trackingNumber ?? '',
  estimatedDelivery: estimatedDelivery ?? '',
})
const isSame = (a: Typed, b: Typed): boolean => names.every((name) => a[name] === b[name])

/** Where a parcel goes, and where it is. What was typed stays, whatever else happens to the order. */
export function ShippingCard({ order }: { order: DeskOrderDetails }) {
  const { id } = order
  const listId = useId()
  const utils = trpc.useUtils()
  const [was, setWas] = useState(shipmentOf(order))
  const [typed, setTyped] = useState(typedOf(order))
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const { mutateAsync, isPending } = trpc.orders.saveShipment.useMutation()
  const isTouched = !isSame(typed, typedOf(was))
  if (!isTouched && !isSame(typedOf(was), typedOf(order))) {
    setWas(shipmentOf(order))
    setTyped(typedOf(order))
  }
  const theirs = failure?.current as OrderShipment | null | undefined

  const save = async (): Promise<void> => {
    try {
      await mutateAsync({
        id,
        was,
        carrier: typed.carrier,
        trackingNumber: typed.trackingNumber,
        estimatedDelivery: typed.estimatedDelivery || null,
      })
      setFailure(null)
      const saved = await utils.orders.read.fetch({ id })
      setWas(shipmentOf(saved))
      setTyped(typedOf(saved))
      showToast({ kind: 'success', title: 'Shipment saved' })
    } catch (error) {
      const failed = failureOf(error)
      setFailure(failed)
      if (failed.current === null) {
        showToast({
          kind: 'error',
          title: 'Update Failed',
          text: Object.values(failed.fields)[0] ?? failed.message,
        })
      }
    }
  }
  return (
    <DeskCard title="Shipping">
      <div className="grid gap-4 md:grid-cols-2">
        <address className="wrap-anywhere not-italic">
          {order.customerName ? <b className="block">{order.customerName}</b> : null}
          {order.shippingLines.map((line, index) => (
            <span key={`${index} ${line}`} className="block">
              {line}
            </span>
          ))}
          {order.estimatedDelivery ? (
            <span className="mt-2 block text-muted">Expected by {dayOf(order.estimatedDelivery)}</span>
          ) : null}
        </address>
        <form
          noValidate
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending && !theirs) void save()
          }}
        >
          {theirs ? (
            <StaleNotice
              fields={staleFields(labels, typed, typedOf(theirs))}
              onTake={() => {
                setTyped(typedOf(theirs))
                setWas(theirs)
                setFailure(null)
              }}
              onKeep={() => {
                setWas(theirs)
                setFailure(null)
              }}
            />
          ) : null}
          {names.map((name) => (
            <Field
              key={name}
              label={labels[name]}
              name={name}
              autoComplete="off"
              value={typed[name]}
              error={failure?.fields[name]}
              {...(name === 'estimatedDelivery' && { type: 'date' })}
              {...(name === 'carrier' && { list: listId })}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            />
          ))}
          <datalist id={listId}>
            {carriers.map((carrier) => (
              <option key={carrier}>{carrier}</option>
            ))}
          </datalist>
          <p className="text-muted">
            A tracking number is mailed to the customer with “Shipped”, or when it comes after that.
          </p>
          <div>
            <Button aria-disabled={isPending || Boolean(theirs) || !isTouched || undefined}>
              Save shipment
            </Button>
          </div>
        </form>
      </div>
    </DeskCard>
  )
}
