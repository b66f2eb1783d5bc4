import { addressLabels } from '#domain/accounts/address-labels.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, type RefObject } from 'react'

/** Only in memory, until the tab closes, because an address and a patient are private. */
let draft: { owner: string; patientId: string; values: Record<string, string> } | null = null

const isDraftField = (name: string): boolean =>
  name in addressLabels || name === 'prescriptionId' || name === 'patientId'

/**
 * What the customer entered and chose before leaving the form, for example to upload a
 * prescription.
 * @param patientId who is selected at first. After that changes, as when the customer orders again
 * for someone else, it counts, not the draft's.
 */
export const readDraft = (owner: string, patientId = ''): Record<string, string> | null =>
  draft?.owner === owner ? { ...draft.values, ...(draft.patientId !== patientId && { patientId }) } : null

/** Keeps what is in the form when it is left. Parameters are those of `readDraft`. */
export function useDraft(form: RefObject<HTMLFormElement | null>, owner: string, patientId = ''): void {
  useEffect(() => {
    const element = form.current
    return () => {
      // The server stores the address with the order.
      if (!element || window.location.pathname === paths.orderHistory) return void (draft = null)
      const values = [...new FormData(element)].flatMap(([name, value]) =>
        isDraftField(name) && typeof value === 'string' ? [[name, value] as const] : [],
      )
      draft = { owner, patientId, values: Object.fromEntries(values) }
    }
  }, [form, owner, patientId])
}
