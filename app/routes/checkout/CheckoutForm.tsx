import { addressLabels } from '#domain/accounts/address-labels.ts'
import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
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
import { hasPriceChanged } from './OrderSummary.tsx'
import type { PrescriptionOption } from './prescription-options.server.ts'
import { PrescriptionField } from './PrescriptionField.tsx'
import { NoPayment, StripePayment } from './StripePayment.tsx'
import { TrustFacts } from './TrustFacts.tsx'
import { useStripeCheckout } from './use-stripe-checkout.ts'
import { useAddressDraft } from './use-address-draft.ts'

/** What the form shows: everything that it asks for, and who takes the money. */
export type CheckoutPageData = Omit<CheckoutView, 'prescriptions'> & {
  prescriptions: PrescriptionOption[]
  payment: Pick<Payments, 'kind' | 'publishableKey'>
  supportEmail: string
}

type CheckoutFormProps = {
  view: CheckoutPageData
  /** Whose form it is. */
  owner: string
  /** Whether something has left the cart because it is no longer offered. */
  hasRemovedItems: boolean
  failure: FormFailure | null
  /** What a provider's fields are to pay, once the shop has prepared it. */
  prepared: { clientSecret: string } | null
}

const cardNames = ['cardNumber', 'expiry', 'cardCvc']

/** What stands above a refusal (specification, section 8), by the first field that it names. */
function titleOf({ message, fields }: FormFailure): string {
  if (Object.keys(addressLabels).some((name) => name in fields)) return checkoutMessages.missingAddress
  if ('prescriptionId' in fields) return 'Prescription Required'
  if ('payment' in fields) return checkoutMessages.failed
  if ('order' in fields || 'accepted' in fields) return 'Your order is not placed yet'
  if (cardNames.some((name) => name in fields)) return 'Please check your card'
  return message ?? 'Your order is not placed yet'
}

const paymentFailure = (message: string): FormFailure => ({
  intent: '',
  values: {},
  message,
  fields: { payment: message },
})

/**
 * Where an order goes, its prescription and its payment, in one form. A second press while the
 * first is on its way sends nothing.
 */
export function CheckoutForm({
  view,
  owner,
  hasRemovedItems,
  failure: serverFailure,
  prepared,
}: CheckoutFormProps) {
  const { formAction, state } = useNavigation()
  const form = useRef<HTMLFormElement>(null)
  const draft = useAddressDraft(form, owner)
  const stripe = useStripeCheckout(form, prepared, serverFailure)
  const usesFields = view.payment.kind === 'stripe' && stripe.fields !== 'failed'
  const isSending = stripe.isPaying || (state !== 'idle' && formAction !== undefined)
  const failure = stripe.problem === null ? serverFailure : paymentFailure(stripe.problem)
  const { lines, totalCents, fingerprint: seen, needsPrescription, prescriptions, payment } = view
  const values = failure && 'seen' in failure.values ? failure.values : draft
  const fields = failure?.fields ?? {}
  const needsAcceptance = hasRemovedItems || lines.some(hasPriceChanged) || 'accepted' in fields
  const canPay = payment.kind === 'demo' || payment.publishableKey !== null
  return (
    <Form
      ref={form}
      id="checkout"
      method="post"
      action={paths.checkout}
      noValidate
      preventScrollReset
      className="grid min-w-0 gap-6 lg:row-start-1"
      onSubmit={(event) => {
        if (isSending || usesFields) event.preventDefault()
        if (!isSending && usesFields && stripe.fields === 'ready') void stripe.start()
      }}
    >
      <input type="hidden" name="seen" value={seen} />
      {failure ? <ErrorSummary title={titleOf(failure)} fields={fields} /> : null}
      {needsAcceptance ? <AcceptChanges error={fields['accepted']} /> : null}
      <FormSection id="shipping-address" title="Shipping address" icon={<Truck />}>
        <AddressFields
          address={view.address}
          addresses={view.addresses}
          values={values}
          errors={fields}
          form={form}
        />
      </FormSection>
      {needsPrescription ? (
        <FormSection id="prescription-heading" title="Prescription medications" icon={<ClipboardList />}>
          <PrescriptionField
            prescriptions={prescriptions}
            selectedId={values?.['prescriptionId']}
            error={fields['prescriptionId']}
          />
        </FormSection>
      ) : null}
      <FormSection id="payment" title="Payment" icon={<Lock />}>
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
      </FormSection>
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
const AcceptChanges = ({ error }: { error: string | undefined }) => (
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

type FormSectionProps = { id: string; title: string; icon: ReactNode; children: ReactNode }

const FormSection = ({ id, title, icon, children }: FormSectionProps) => (
  <fieldset aria-labelledby={`${id}-title`} id={id} tabIndex={-1} className="card min-w-0 p-5 sm:p-7">
    <h2 id={`${id}-title`} className="mb-5 flex items-center gap-3 text-lg">
      <span className="tile size-9 flex-none rounded-full text-primary">{icon}</span>
      {title}
    </h2>
    {children}
  </fieldset>
)
