import { paths } from '#domain/paths.ts'
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { CheckoutFailure } from './place-order.server.ts'

/** What decides the alerts and the delivery, with what identifies the form. */
const sentFields = ['country', 'patientId', 'prescriptionId', 'userId', 'seen']

/**
 * Asks the server what the form's choices mean when one or the cart changes, as the button does
 * without scripts.
 * @param failure the last reply to the form, if it failed
 * @param loadedCountry the country of the loaded notes; a form that was left may have another
 * @param fingerprint of the loaded cart
 * @returns the newest reply with notes; null until a reply has notes
 */
export function useCheckedChoices(
  failure: CheckoutFailure | null,
  loadedCountry: string | undefined,
  fingerprint: string | undefined,
): CheckoutFailure | null {
  const { submit, data } = useFetcher<CheckoutFailure | null>()
  // A refused check has a message. The form's own reply will say why.
  const checked = data?.message === null ? data : null
  const [last, setLast] = useState({ failure, checked, notes: failure })
  if (last.failure !== failure || last.checked !== checked) {
    const reply = last.failure === failure ? checked : failure
    setLast({ failure, checked, notes: reply?.alerts === undefined ? last.notes : reply })
  }

  const checkedCart = useRef(fingerprint)
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
    const isOtherCart = checkedCart.current !== fingerprint
    checkedCart.current = fingerprint
    if (country && (isOtherCart || country.value !== loadedCountry)) check(country)
    return () => removeEventListener('change', onChange)
  }, [submit, loadedCountry, fingerprint])
  return last.notes
}
