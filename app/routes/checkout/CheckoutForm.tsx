import { addressLabels } from '#domain/accounts/address-labels.ts'
import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { dollars } from '#domain/money.ts'
import type { CheckoutView } from '#server/checkout/get-checkout-view.ts'
import type { Payments } from '#server/integrations/payments/payments.ts'
import { useRef, type ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { ClipboardList, Lock, Truck } from '../../ui/icons.tsx'
import { AddressFields } from './AddressFields.tsx'
import { CardFields } from './CardFields.tsx'
import { hasChanged } from './OrderSummary.tsx'
import type { PrescriptionOption } from './prescription-options.server.ts'
import { PrescriptionField } from './PrescriptionField.tsx'
import { NoPayment, StripePayment } from './StripePayment.tsx'
import { TrustFacts } from './TrustFacts.tsx'
import { useStripeCheckout } from './use-stripe-checkout.ts'
import { useTypedValues } from './use-typed-values.ts'

/** What the form shows: everything that it asks for, and who takes the money. */
export type ShownCheckout = Omit<CheckoutView, 'prescriptions'> & {
  prescriptions: PrescriptionOption[]
  payment: Pick<Payments, 'kind' | 'publishableKey'>
  supportEmail: string
}

type CheckoutFormProps = {
  view: ShownCheckout
  /** Whose form it is. */
  owner: string
  /** Whether something has left the cart because it is no longer offered. */
  hasDropped: boolean
  refused: FormFailure | null
  /** What a provider's fields are to pay, once the shop has prepared it. */
  prepared: { clientSecret: string } | null
}

const cardNames = ['cardNumber', 'expiry', 'cardCvc']

/** What stands above a refusal (specification, section 8), by the first field that it names. */
function titleOf({ message, fields }: FormFailure): string {
  if (Object.keys(addressLabels).some((name) => name in fields)) return checkoutWords.missingAddress
  if ('prescriptionId' in fields) return 'Prescription Required'
  if ('payment' in fields) return checkoutWords.failed
  if ('order' in fields || 'accepted' in fields) return 'Your order is not placed yet'
  if (cardNames.some((name) => name in fields)) return 'Please check your card'
  return message ?? 'Your order is not placed yet'
}

const failedPayment = (sentence: string): FormFailure => ({
  intent: '',
  values: {},
  message: sentence,
  fields: { payment: sentence },
})

/** Where an order goes, its prescription and its payment, in one form. A second press while the first is on its way sends nothing. */
export function CheckoutForm({ view, owner, hasDropped, refused: answered, prepared }: CheckoutFormProps) {
  const { formAction, state } = useNavigation()
  const form = useRef<HTMLFormElement>(null)
  const typed = useTypedValues(form, owner)
  const stripe = useStripeCheckout(form, prepared, answered)
  const inFields = view.payment.kind === 'stripe' && stripe.fields !== 'failed'
  const isSending = stripe.isPaying || (state !== 'idle' && formAction !== undefined)
  const refused = stripe.problem === null ? answered : failedPayment(stripe.problem)
  const { lines, totalCents, seen, needsPrescription, prescriptions, payment } = view
  const values = refused && 'seen' in refused.values ? refused.values : typed
  const fields = refused?.fields ?? {}
  const needsAcceptance = hasDropped || lines.some(hasChanged) || 'accepted' in fields
  const canPay = payment.kind === 'demo' || payment.publishableKey !== null
  return (
    <Form
      ref={form}
      id="checkout"
      method="post"
      action="/checkout"
      noValidate
      preventScrollReset
      className="grid min-w-0 gap-6 lg:row-start-1"
      onSubmit={(event) => {
        if (isSending || inFields) event.preventDefault()
        if (!isSending && inFields && stripe.fields === 'ready') void stripe.start()
      }}
    >
      <input type="hidden" name="seen" value={seen} />
      {refused ? <ErrorSummary title={titleOf(refused)} fields={fields} /> : null}
      {needsAcceptance ? <Changes error={fields['accepted']} /> : null}
      <Group id="shipping-address" title="Shipping address" icon={<Truck />}>
        <AddressFields
          address={view.address}
          addresses={view.addresses}
          values={values}
          errors={fields}
          form={form}
        />
      </Group>
      {needsPrescription ? (
        <Group id="prescription-heading" title="Prescription medications" icon={<ClipboardList />}>
          <PrescriptionField
            prescriptions={prescriptions}
            chosen={values?.['prescriptionId']}
            error={fields['prescriptionId']}
          />
        </Group>
      ) : null}
      <Group id="payment" title="Payment" icon={<Lock />}>
        {payment.kind === 'demo' ? <CardFields values={values} errors={fields} /> : null}
        {payment.kind === 'stripe' && payment.publishableKey !== null ? (
          <StripePayment
            publishableKey={payment.publishableKey}
            amountCents={totalCents}
            onPayer={stripe.setPayer}
            state={stripe.fields}
            onState={stripe.setFields}
          />
        ) : null}
        {canPay ? null : <NoPayment supportEmail={view.supportEmail} />}
        {fields['payment'] ? (
          <p className="mt-4 text-sm font-medium text-error">{fields['payment']}</p>
        ) : null}
      </Group>
      <div>
        {canPay ? (
          <Button
            kind="primary"
            className="min-h-13 w-full text-lg"
            aria-describedby="what-next"
            aria-disabled={isSending || undefined}
          >
            {isSending ? (
              'Placing your order…'
            ) : (
              <>
                Place Order
                <span aria-hidden="true" className="tabular-nums">
                  · {dollars(totalCents)}
                </span>
              </>
            )}
          </Button>
        ) : null}
        <TrustFacts needsPrescription={needsPrescription} />
      </div>
    </Form>
  )
}

/** What was chosen is not what it costs now: paid only once that is agreed to. */
const Changes = ({ error }: { error: string | undefined }) => (
  <Alert kind="warning" title="Something has changed since you filled your cart">
    <p className="mt-1">
      The order summary shows today’s prices and what is left. Nothing is charged before you agree.
    </p>
    <input type="hidden" name="changed" value="1" />
    <label className="mt-2 flex min-h-11 items-center gap-3">
      <input
        id="accepted"
        type="checkbox"
        name="accepted"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'accepted-error' : undefined}
        className="size-5 flex-none accent-primary"
      />
      I agree to the order as it is now
    </label>
    {error ? (
      <p id="accepted-error" className="text-sm font-medium text-error">
        {error}
      </p>
    ) : null}
  </Alert>
)

type GroupProps = { id: string; title: string; icon: ReactNode; children: ReactNode }

const Group = ({ id, title, icon, children }: GroupProps) => (
  <fieldset aria-labelledby={`${id}-title`} id={id} tabIndex={-1} className="card min-w-0 p-5 sm:p-7">
    <h2 id={`${id}-title`} className="mb-5 flex items-center gap-3 text-lg">
      <span className="tile size-9 flex-none rounded-full text-primary">{icon}</span>
      {title}
    </h2>
    {children}
  </fieldset>
)
