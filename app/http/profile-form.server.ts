import { profileChangesSchema, type ProfileChanges } from '#domain/accounts/profile.ts'

/** The box on the profile's form. */
export const sameBilling = 'billingSameAsShipping'

/** The lines of an address by the names that the form has for them, shipping beside billing. */
const pairs = [
  ['shippingStreetAddress', 'billingStreetAddress'],
  ['shippingCity', 'billingCity'],
  ['shippingStateProvince', 'billingStateProvince'],
  ['shippingCountry', 'billingCountry'],
  ['shippingZipCode', 'billingZipCode'],
] as const

/**
 * The form's schema and how its fields become changes. A field that was left blank empties, one that the form has not stays; with
 * the box on, what stands in the hidden billing fields does not count and shipping is copied (specification, section 5).
 */
export function readProfileForm(form: FormData, now: Date) {
  const isSame = form.has(sameBilling)
  const counted = new FormData()
  for (const [name, value] of form) {
    if (!isSame || !pairs.some(([, billing]) => billing === name)) counted.append(name, value)
  }
  const schema = profileChangesSchema(now)
  const toChanges = (input: ProfileChanges): ProfileChanges => {
    const changes = { ...input }
    for (const name of schema.keyof().options) {
      if (changes[name] === undefined && counted.has(name)) changes[name] = null
    }
    if (isSame) for (const [shipping, billing] of pairs) changes[billing] = changes[shipping]
    return changes
  }
  return { counted, schema, toChanges }
}
