import { paths } from '#domain/paths.ts'
import { useEffect, type RefObject } from 'react'

/** In memory alone, for as long as the tab lives: an address is nobody else's business. */
let draft: { owner: string; values: Record<string, string> } | null = null

const draftFields = ['streetAddress', 'city', 'stateProvince', 'zipCode', 'country']

/**
 * The address that the owner had typed when they left the form for another page of the shop, as to
 * upload a prescription.
 */
export function useAddressDraft(
  form: RefObject<HTMLFormElement | null>,
  owner: string,
): Record<string, string> | null {
  useEffect(() => {
    const element = form.current
    return () => {
      // Once it is ordered it is known to the shop.
      if (!element || window.location.pathname === paths.orderHistory) return void (draft = null)
      const values = [...new FormData(element)].flatMap(([name, value]) =>
        draftFields.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
      )
      draft = { owner, values: Object.fromEntries(values) }
    }
  }, [form, owner])
  return draft?.owner === owner ? draft.values : null
}
