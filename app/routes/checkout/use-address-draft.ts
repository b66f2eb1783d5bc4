import { paths } from '#domain/paths.ts'
import { useEffect, type RefObject } from 'react'

/** Only in memory, until the tab closes, because an address is private. */
let draft: { owner: string; values: Record<string, string> } | null = null

const draftFields = ['streetAddress', 'city', 'stateProvince', 'zipCode', 'country']

/**
 * The address that the customer typed before leaving the form, for example to upload a
 * prescription.
 */
export function useAddressDraft(
  form: RefObject<HTMLFormElement | null>,
  owner: string,
): Record<string, string> | null {
  useEffect(() => {
    const element = form.current
    return () => {
      // The server stores the address with the order.
      if (!element || window.location.pathname === paths.orderHistory) return void (draft = null)
      const values = [...new FormData(element)].flatMap(([name, value]) =>
        draftFields.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
      )
      draft = { owner, values: Object.fromEntries(values) }
    }
  }, [form, owner])
  return draft?.owner === owner ? draft.values : null
}
