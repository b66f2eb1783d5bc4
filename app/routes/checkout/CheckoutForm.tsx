import { withQuery } from '#domain/build-path.ts'
import { summarizeFailure } from '#domain/checkout/failure-summary.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { CheckoutView } from '#server/checkout/get-checkout-view.ts'
import type { Payments } from '#server/integrations/payments/payments.ts'
import { useMemo, useRef, type ReactNode } from 'react'
import { PatientField } from '../../components/PatientField.tsx'
import { SignInAgain } from '../../components/SignInAgain.tsx'
import type { FormFailure } from '../../http/form-failure.ts'
import { Link } from '../../render/Link.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { PostForm, useIsPosting } from '../../ui/PostForm.tsx'
import { ClipboardList, Lock, Truck } from '../../ui/icons.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { AddressFields } from './AddressFields.tsx'
import { CardFields } from './CardFields.tsx'
import type { CheckoutAlerts } from './checkout-alerts.server.ts'
import type { PrescriptionOption } from './prescription-options.server.ts'
import { PrescriptionField } from './PrescriptionField.tsx'
import { NoPayment, StripePayment } from './StripePayment.tsx'
import { useStripeCheckout } from './use-stripe-checkout.ts'
import { useDraft } from './use-draft.ts'

/** The data of the checkout page, including the payment provider. */
export type CheckoutPageData = Omit<CheckoutView, 'prescriptions'> & {
  userId: string
  prescriptions: PrescriptionOption[]
  payment: Pick<Payments, 'kind' | 'publishableKey'>
  supportEmail: string
  /** What the lists say about the cart, as HTML; null when there is nothing to compare. */
  alerts: CheckoutAlerts | null
  testCards?: { __html: string }
  /** What happens after the order is placed. */
  trustFacts: { __html: string }
}

type CheckoutFormProps = {
  view: CheckoutPageData
  /** The prescription that is selected at first. */
  selectedId: string
  onChoosePrescription: (id: string) => void
  /** From `readDraft`. */
  draft: Record<string, string> | null
  /** Whether items were removed from the cart because they are no longer on sale. */
  hasRemovedItems: boolean
  failure: FormFailure | null
  /** The payment for the provider's card fields, once the server has created it. */
  prepared: { clientSecret: string } | null
}

const paymentFailure = (message: string): FormFailure => ({
  intent: '',
  values: {},
  message,
  fields: { payment: message },
})

/**
 * The address, prescription and payment of an order in one form. A second submit while the first is
 * pending does nothing.
 */
export function CheckoutForm({
  view,
  selectedId,
  onChoosePrescription,
  draft,
  hasRemovedItems,
  failure: serverFailure,
  prepared,
}: CheckoutFormProps) {
  const isHydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  useDraft(form, view)
  const stripe = useStripeCheckout(form, prepared, serverFailure)
  const usesFields = view.payment.kind === 'stripe' && stripe.fields !== 'failed'
  const isPosting = useIsPosting()
  const isSending = stripe.isPaying || isPosting
  const { problem } = stripe
  const failure = useMemo(
    () => (problem === null ? serverFailure : paymentFailure(problem)),
    [problem, serverFailure],
  )
  const { lines, totalCents, fingerprint, needsPrescription, prescriptions, payment } = view
  const values = failure && 'seen' in failure.values ? failure.values : draft
  const fields = failure?.fields ?? {}
  // The summary takes the focus when it changes.
  const summary = useMemo(
    () => (failure && failure.intent !== 'check' ? summarizeFailure(failure) : null),
    [failure],
  )
  const needsAcceptance = hasRemovedItems || lines.some((line) => line.priceNote) || 'accepted' in fields
  const canPay = payment.kind === 'demo' || payment.publishableKey !== null
  return (
    <PostForm
      ref={form}
      id="checkout"
      action={paths.checkout}
      preventScrollReset
      className="grid min-w-0 gap-6 lg:row-start-1"
      onSubmit={(event) => {
        if (usesFields || isSending) event.preventDefault()
        if (!isSending && usesFields && stripe.fields === 'ready') void stripe.start()
      }}
    >
      <input type="hidden" name="userId" value={values?.['userId'] ?? view.userId} />
      <input type="hidden" name="seen" value={fingerprint} />
      {summary ? (
        <ErrorSummary {...summary}>{failure?.isSignedOut ? <SignInAgain /> : null}</ErrorSummary>
      ) : null}
      {needsAcceptance ? <AcceptChanges error={fields['accepted']} /> : null}
      <FormSection id="shipping-address" title="Shipping address" icon={<Truck />}>
        <AddressFields
          address={view.address}
          addresses={view.addresses}
          warning={view.isDestinationServed ? null : view.delivery}
          values={values}
          errors={fields}
          form={form}
        />
      </FormSection>
      {needsPrescription ? (
        <FormSection id="prescription-heading" title="Prescription medications" icon={<ClipboardList />}>
          <PrescriptionField
            prescriptions={prescriptions}
            selectedId={selectedId}
            isRequired={lines.some(({ prescription }) => prescription && prescription.kind !== 'covered')}
            onChoose={onChoosePrescription}
            error={fields['prescriptionId']}
          />
        </FormSection>
      ) : null}
      {view.patients.length > 0 ? (
        <FormSection id="patient-heading" title="Patient" icon={<ClipboardList />}>
          <PatientField
            label="Who is this for?"
            hint="For items without a prescription. Prescription items are for the person the prescription names."
            patients={view.patients}
            defaultValue={values?.['patientId'] ?? view.patientId}
            error={fields['patientId']}
          />
        </FormSection>
      ) : null}
      <p>
        Are you ordering for someone else?{' '}
        <Link to={withQuery(paths.person('new'), { from: 'checkout' })} className="text-link">
          Add a person you care for
        </Link>
      </p>
      {view.alerts ? (
        <AlertsForPatient
          alerts={view.alerts}
          acceptedId={values?.['alertsRead']}
          error={fields['alertsRead']}
        />
      ) : null}
      <FormSection id="payment" title="Payment" icon={<Lock />}>
        {view.testCards ? <CardFields testCards={view.testCards} values={values} errors={fields} /> : null}
        {payment.kind === 'stripe' && payment.publishableKey !== null ? (
          <StripePayment
            publishableKey={payment.publishableKey}
            amountCents={totalCents}
            isHold={needsPrescription}
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
        {canPay ? <PlaceOrderButton isSending={isSending} totalCents={totalCents} /> : null}
        {isHydrated ? null : <CheckButton />}
        <div id="what-next" dangerouslySetInnerHTML={view.trustFacts} />
      </div>
    </PostForm>
  )
}

type AlertsForPatientProps = {
  alerts: CheckoutAlerts
  /** The alerts that the customer has confirmed reading, by their id. */
  acceptedId: string | undefined
  error: string | undefined
}

/** What the lists say about the cart, and the confirmation that some of it needs. */
const AlertsForPatient = ({
  alerts: { patientId, html, confirmationId },
  acceptedId,
  error,
}: AlertsForPatientProps) => (
  <div>
    <input type="hidden" name="alertsFor" value={patientId} />
    <div dangerouslySetInnerHTML={{ __html: html }} />
    {confirmationId ? (
      <Agreement
        key={confirmationId}
        name="alertsRead"
        value={confirmationId}
        label="I have read this"
        isChecked={acceptedId === confirmationId}
        error={error}
      />
    ) : null}
  </div>
)

type PlaceOrderButtonProps = { isSending: boolean; totalCents: number }

const PlaceOrderButton = ({ isSending, totalCents }: PlaceOrderButtonProps) => (
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
)

/**
 * Without scripts: shows what the selected prescription covers, the alerts for the chosen person
 * and the delivery to the typed country. Below the other button, because Enter in a field presses
 * the first one.
 */
const CheckButton = () => (
  <Button name="intent" value="check" className="mt-3 hidden w-full noscript:flex">
    Check your choices before you pay
  </Button>
)

/** Prices or availability have changed. The customer must accept before paying. */
const AcceptChanges = ({ error }: { error: string | undefined }) => (
  <Alert kind="warning" title="Your cart has changed since you added these items">
    <p className="mt-1">
      The order summary shows current prices and availability. You won’t be charged until you agree.
    </p>
    <input type="hidden" name="changed" value="1" />
    <Agreement name="accepted" label="I agree to the updated order" error={error} />
  </Alert>
)

type AgreementProps = {
  name: string
  value?: string
  label: string
  isChecked?: boolean
  error: string | undefined
}

/** A checkbox without which the order is not placed. */
const Agreement = ({ name, value, label, isChecked, error }: AgreementProps) => (
  <>
    <label className="mt-2 flex min-h-11 items-center gap-3">
      <input
        id={name}
        type="checkbox"
        name={name}
        value={value}
        required
        defaultChecked={isChecked}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${name}-error` : undefined}
        className="size-5 flex-none accent-primary"
      />
      {label}
    </label>
    {error ? (
      <p id={`${name}-error`} className="text-sm font-medium text-error">
        {error}
      </p>
    ) : null}
  </>
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
