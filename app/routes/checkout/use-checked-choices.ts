import { paths } from '#domain/paths.ts'
import { useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import type { CheckoutNotes } from './place-order.server.ts'

/** What decides the alerts and the delivery, with what identifies the form. */
const sentFields = ['country', 'patientId', 'prescriptionId', 'userId', 'seen']

/**
 * Asks the server what the form's choices mean when one changes, as the button does without
 * scripts.
 * @param answer the last reply to the form; it replaces earlier notes
 * @param loadedCountry the country of the loaded notes; a form that was left may have another
 * @returns notes that are newer than the answer
 */
export function useCheckedChoices(answer: unknown, loadedCountry: string | undefined): CheckoutNotes | null {
  const { submit, data } = useFetcher<Partial<CheckoutNotes>>()
  const [replaced, setReplaced] = useState({ answer, data })
  if (replaced.answer !== answer) setReplaced({ answer, data })

  useEffect(() => {
    const check = ({ form, name }: HTMLInputElement | HTMLSelectElement): void => {
      if (!form || !sentFields.includes(name)) return
      const sent = new FormData()
      for (const [field, value] of new FormData(form)) if (sentFields.includes(field)) sent.set(field, value)
      sent.set('intent', 'check')
      void submit(sent, { method: 'post', action: paths.checkout, defaultShouldRevalidate: false })
    }
    const onChange = ({ target }: Event): void => {
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) check(target)
    }
    addEventListener('change', onChange)
    const country = document.querySelector<HTMLInputElement>('#country')
    if (country && country.value !== loadedCountry) check(country)
    return () => removeEventListener('change', onChange)
  }, [submit, loadedCountry])
  const { alerts, delivery, isDestinationServed = true } = data === replaced.data ? {} : (data ?? {})
  return delivery && alerts !== undefined ? { alerts, delivery, isDestinationServed } : null
}
