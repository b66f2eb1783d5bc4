import { paths } from '#domain/paths.ts'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigate, useSubmit } from 'react-router'
import type { Payer } from './StripeFields.tsx'
import type { FieldsState } from './StripePayment.tsx'

/**
 * Pays with the provider's card fields: validates them, has the server create the payment, pays it
 * and has the server create the order. A failure is a message; the form keeps its values.
 * @param prepared the server's payment; null before, and when the server rejected the form
 */
export function useStripeCheckout(
  form: RefObject<HTMLFormElement | null>,
  prepared: { clientSecret: string } | null,
  failure: unknown,
) {
  const payer = useRef<Payer | null>(null)
  const [fields, setFields] = useState<FieldsState>('loading')
  /** The failure before this attempt: a new failure ends the attempt. */
  const [attempt, setAttempt] = useState<{ failure: unknown } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = useSubmit()
  const navigate = useNavigate()

  const fail = (message: string): void => {
    setProblem(message)
    setAttempt(null)
  }

  const start = async (): Promise<void> => {
    if (!payer.current || !form.current) return
    setProblem(null)
    setAttempt({ failure })
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
      () => fail('We couldn’t start the payment. Try again.'),
    )
    // `prepared` is a new object for each answer, even when a second card has the same secret.
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
