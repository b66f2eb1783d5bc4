import { paths } from '#domain/paths.ts'
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { CheckoutPageData } from './CheckoutForm.tsx'
import type { CheckoutFailure } from './place-order.server.ts'

/** What decides the alerts and the delivery. */
const choiceFields = ['country', 'patientId', 'prescriptionId']
/** Those, and what identifies the form. */
const sentFields = [...choiceFields, 'userId', 'seen']

type LoadedChoices = Pick<CheckoutPageData, 'fingerprint' | 'address' | 'patientId' | 'preselectedId'>

/**
 * Asks the server what the form's choices mean when one or the cart changes, as the button does
 * without scripts.
 * @param failure the last reply to the form, if it failed
 * @param loaded the cart and what its notes are about; a form that was left may have other choices
 * @returns the newest reply with notes; null until a reply has notes
 */
export function useCheckedChoices(
  failure: CheckoutFailure | null,
  loaded: LoadedChoices | null,
): CheckoutFailure | null {
  const { submit, data } = useFetcher<CheckoutFailure | null>()
  // A refused check has a message. The form's own reply will say why.
  const checked = data?.message === null ? data : null
  const [last, setLast] = useState({ failure, checked, notes: failure })
  if (last.failure !== failure || last.checked !== checked) {
    const reply = last.failure === failure ? checked : failure
    setLast({ failure, checked, notes: reply?.alerts === undefined ? last.notes : reply })
  }

  const checkedCart = useRef(loaded?.fingerprint)
  useEffect(() => {
    const check = (form: HTMLFormElement): void => {
      const sent = new FormData()
      for (const [field, value] of new FormData(form)) if (sentFields.includes(field)) sent.set(field, value)
      sent.set('intent', 'check')
      void submit(sent, { method: 'post', action: paths.checkout, defaultShouldRevalidate: false })
    }
    const onChange = ({ target }: Event): void => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
      if (isField && target.form && sentFields.includes(target.name)) check(target.form)
    }
    addEventListener('change', onChange)
    const form = document.querySelector<HTMLFormElement>('#checkout')
    if (form && loaded) {
      const { fingerprint, address, patientId, preselectedId } = loaded
      const isOtherCart = checkedCart.current !== fingerprint
      checkedCart.current = fingerprint
      const shown = new FormData(form)
      const isOther =
        choiceFields.map((name) => shown.get(name)).join() !==
        [address.country, patientId, preselectedId].join()
      if (isOtherCart || isOther) check(form)
    }
    return () => removeEventListener('change', onChange)
  }, [submit, loaded])
  return last.notes
}
