import { addressLabels } from '#domain/accounts/address-labels.ts'
import type { CheckoutView } from '#server/checkout/get-checkout-view.ts'
import { useEffect, type RefObject } from 'react'

type Values = Record<string, string>
type View = { userId: string } & Pick<CheckoutView, 'choicesKey' | 'newestId' | 'addedId'>

/** Only in memory, until the tab closes, because an address and a patient are private. */
let draft: { view: Omit<View, 'addedId'>; values: Values } | null = null

const isDraftField = (name: string): boolean =>
  name in addressLabels || name === 'prescriptionId' || name === 'patientId'

/**
 * What the customer entered and chose before leaving the form, for example to upload a
 * prescription. One that was uploaded since is selected, and so is a person just added. Null when
 * the server knows something newer, as after an order in any tab.
 */
export function readDraft(view: View | null): Values | null {
  if (!view || draft?.view.userId !== view.userId || draft.view.choicesKey !== view.choicesKey) return null
  const { newestId, addedId } = view
  return {
    ...draft.values,
    ...(draft.view.newestId !== newestId && { prescriptionId: newestId ?? '' }),
    ...(addedId && { patientId: addedId }),
  }
}

/** Keeps what is in a form of the page. */
export function keepDraft(
  view: Omit<View, 'addedId'>,
  entries: Iterable<[string, FormDataEntryValue]>,
): void {
  const values = [...entries].flatMap(([name, value]) =>
    isDraftField(name) && typeof value === 'string' ? [[name, value] as const] : [],
  )
  draft = { view, values: Object.fromEntries(values) }
}

/** Keeps what is in the form when it is left. */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  { userId, choicesKey, newestId }: Omit<View, 'addedId'>,
): void {
  useEffect(() => {
    const element = form.current
    return () => {
      if (element) keepDraft({ userId, choicesKey, newestId }, new FormData(element))
    }
  }, [form, userId, choicesKey, newestId])
}
