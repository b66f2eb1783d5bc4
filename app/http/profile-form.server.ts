import type { z } from 'zod'
import { poundsFromKilograms } from '#domain/accounts/profile-fields.ts'
import { profileChangesSchema, weightDaySchema, type DatedProfileChanges } from '#domain/accounts/profile.ts'

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
  convertWeight(fields)
  const schema = profileChangesSchema(now).extend({
    weightOn: weightDaySchema(now.toISOString().slice(0, 10)),
  })
  const toChanges = (input: DatedProfileChanges): DatedProfileChanges => {
    const changes = clearBlank(input, { schema, form: fields })
    if (isSame) for (const [shipping, billing] of pairs) changes[billing] = changes[shipping]
    return changes
  }
  return { fields, schema, toChanges }
}

/** A blank field clears its value; an absent field leaves it. */
export function clearBlank<Input extends object>(
  input: Input,
  { schema, form }: { schema: z.ZodObject; form: FormData },
): Input {
  const values = new Map<string, unknown>(Object.entries(input))
  const blank = schema.keyof().options.filter((name) => values.get(name) === undefined && form.has(name))
  return { ...input, ...Object.fromEntries(blank.map((name) => [name, null])) }
}

/** Replaces a weight in kilograms by pounds, which the shop stores. Other texts stay as typed. */
export function convertWeight(fields: FormData): void {
  const kilograms = Number(fields.get('weight') || Number.NaN)
  if (fields.get('weightUnit') !== 'kg' || !Number.isFinite(kilograms)) return
  fields.set('weight', String(poundsFromKilograms(kilograms)))
  fields.set('weightUnit', 'lb')
}
