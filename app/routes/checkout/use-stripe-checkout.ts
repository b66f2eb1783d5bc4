import { paths } from '#domain/paths.ts'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigate, useSubmit } from 'react-router'
import type { Payer } from './StripeFields.tsx'
import type { FieldsState } from './StripePayment.tsx'

/**
 * Paying in the provider's fields, step by step: they are checked, the shop prepares what they pay,
 * they pay it, and the shop makes the order of it. What goes wrong on the way is a sentence, and
 * the form stays as it is.
 * @param prepared what the shop answered; null before, and when it refused
 */
export function useStripeCheckout(
  form: RefObject<HTMLFormElement | null>,
  prepared: { clientSecret: string } | null,
  failure: unknown,
) {
  const payer = useRef<Payer | null>(null)
  const [fields, setFields] = useState<FieldsState>('loading')
  /** What had been refused before this try: the next refusal ends it. */
  const [attempt, setBegun] = useState<{ failure: unknown } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = useSubmit()
  const navigate = useNavigate()

  const fail = (message: string): void => {
    setProblem(message)
    setBegun(null)
  }

  const start = async (): Promise<void> => {
    if (!payer.current || !form.current) return
    setProblem(null)
    setBegun({ failure })
    const fieldProblem = await payer.current.check()
    if (fieldProblem !== null) return fail(fieldProblem)
    const data = new FormData(form.current)
    data.set('intent', 'prepare')
    await submit(data, { method: 'post', action: paths.checkout, preventScrollReset: true })
  }

  const clientSecret = prepared?.clientSecret
  useEffect(() => {
    if (clientSecret === undefined || !payer.current) return
    payer.current.pay(clientSecret).then(
      (outcome) =>
        'problem' in outcome
          ? fail(outcome.problem)
          : void navigate(
              `${paths.orderConfirmation}?payment_intent=${encodeURIComponent(outcome.paymentId)}`,
            ),
      () => fail('The payment could not be started. Please try again.'),
    )
    // `prepared` is a new one for each answer, though a second card pays by the same secret.
  }, [prepared, clientSecret, navigate])

  const setPayer = useCallback((ready: Payer | null) => void (payer.current = ready), [])
  return {
    setPayer,
    fields,
    setFields,
    problem,
    start,
    isPaying: attempt !== null && attempt.failure === failure,
  }
}
