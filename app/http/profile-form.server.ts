import { profileChangesSchema, type ProfileChanges } from '#domain/accounts/profile.ts'

/** The name of the profile form's checkbox. */
export const sameBilling = 'billingSameAsShipping'

/** The form's names for the lines of an address, shipping with billing. */
const pairs = [
  ['shippingStreetAddress', 'billingStreetAddress'],
  ['shippingCity', 'billingCity'],
  ['shippingStateProvince', 'billingStateProvince'],
  ['shippingCountry', 'billingCountry'],
  ['shippingZipCode', 'billingZipCode'],
] as const

/**
 * The form's schema, and how its fields become changes. A blank field clears the value; an absent
 * field leaves it. With the checkbox on, the hidden billing fields are ignored and shipping is
 * copied (specification, section 5).
 */
export function readProfileForm(form: FormData, now: Date) {
  const isSame = form.has(sameBilling)
  const fields = new FormData()
  for (const [name, value] of form) {
    if (!isSame || !pairs.some(([, billing]) => billing === name)) fields.append(name, value)
  }
  const schema = profileChangesSchema(now)
  const toChanges = (input: ProfileChanges): ProfileChanges => {
    const changes = { ...input }
    for (const name of schema.keyof().options) {
      if (changes[name] === undefined && fields.has(name)) changes[name] = null
    }
    if (isSame) for (const [shipping, billing] of pairs) changes[billing] = changes[shipping]
    return changes
  }
  return { fields, schema, toChanges }
}
