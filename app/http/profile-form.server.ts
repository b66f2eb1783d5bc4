import { utcDay } from '#domain/days.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '#domain/errors.ts'
import { longFieldNames, poundsFromKilograms } from '#domain/accounts/profile-fields.ts'
import { profileChangesSchema, weightDaySchema, type DatedProfileChanges } from '#domain/accounts/profile.ts'
import { getText } from './form-action.server.ts'

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
    weightOn: weightDaySchema(utcDay(now)),
  })
  const toChanges = (input: DatedProfileChanges): DatedProfileChanges => {
    const changes = clearBlank(input, { schema, form: fields })
    if (isSame) for (const [shipping, billing] of pairs) changes[billing] = changes[shipping]
    return dropUnchanged(changes, form)
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

/** The hidden field with `fingerprintPerson`. */
const loadedField = 'loaded'
const fingerprintsSchema = z.record(z.string(), z.string())

const fingerprint = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 12)

/**
 * A fingerprint of each value that a form about a person shows, by the field's name, as JSON for
 * its hidden field. Values would take too much of the form's 64 KiB.
 */
export function fingerprintPerson(person: object, now: Date): string {
  const values = new Map<string, unknown>(Object.entries(person))
  for (const [short, long] of Object.entries(longFieldNames)) values.set(long, values.get(short))
  const names = [...profileChangesSchema(now).keyof().options, 'weightOn']
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, fingerprint(values.get(name))])))
}

/**
 * Leaves out what is still as the page showed it, so that a page that was open for a while does not
 * overwrite what was saved in the meantime. Without the hidden field, everything is a change.
 * Throws BAD_REQUEST.
 */
export function dropUnchanged<Changes extends object>(changes: Changes, form: FormData): Changes {
  const text = getText(form, loadedField)
  if (text === null) return changes
  const loaded = readFingerprints(text)
  if (!loaded) throw new AppError('BAD_REQUEST')
  const changed = Object.entries(changes).filter(([name, value]) => fingerprint(value) !== loaded[name])
  return Object.fromEntries(changed) as Changes
}

function readFingerprints(text: string): Record<string, string> | null {
  try {
    return fingerprintsSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Replaces a weight in kilograms by pounds, which the shop stores. Other texts stay as typed. */
export function convertWeight(fields: FormData): void {
  const kilograms = Number(fields.get('weight') || Number.NaN)
  if (fields.get('weightUnit') !== 'kg' || !Number.isFinite(kilograms)) return
  fields.set('weight', String(poundsFromKilograms(kilograms)))
  fields.set('weightUnit', 'lb')
}
