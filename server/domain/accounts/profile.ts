import { z } from 'zod'
import { utcDay } from '../days.ts'
import { genders } from './accounts.ts'
import { longFieldNames, maxWeight, profileBounds, type PersonalData } from './profile-fields.ts'
import { isBlank, cleanLine, cleanLines } from '../clean-text.ts'

const wrongType = 'Send a string or null.'

/** A trimmed text; blank becomes null. */
const textField = (max: number, typed: (text: string) => string) =>
  z
    .string({ error: wrongType })
    .nullable()
    .transform((value) => {
      const text = typed(value ?? '')
      return isBlank(text) ? null : text
    })
    .pipe(
      z
        .string()
        .max(max, `Enter at most ${max.toLocaleString('en-US')} characters.`)
        .nullable(),
    )
    .optional()

const line = (max: number) => textField(max, cleanLine)
const lines = (max: number) => textField(max, cleanLines)

/** Some small countries have local numbers of 4 digits. */
const minPhoneDigits = 4

/** Any way of writing a phone number, also with an extension or a note. */
const phone = (max: number) =>
  line(max).refine(
    (text) => text == null || (text.match(/\p{Nd}/gu)?.length ?? 0) >= minPhoneDigits,
    `Enter a phone number with at least ${minPhoneDigits} digits.`,
  )

const earliestBirth = '1900-01-01'

/** @param today `YYYY-MM-DD` in UTC */
const birthDate = (today: string) =>
  z
    .string({ error: 'Send a date like 1984-03-12 or null.' })
    .nullable()
    .transform((value) => value?.trim() || null)
    .pipe(
      z.iso
        .date({ error: 'Enter a valid date, like 1984-03-12.', abort: true })
        .refine((date) => date <= today, 'Enter a date of birth in the past.')
        .refine((date) => date >= earliestBirth, 'Enter a date of birth in 1900 or later.')
        .nullable(),
    )
    .optional()

const weightMessage = `Enter a weight from 0.1 to ${maxWeight.toLocaleString('en-US')} pounds.`

const bounds = profileBounds
const fields = {
  firstName: line(bounds.firstName),
  lastName: line(bounds.lastName),
  gender: z
    .enum(genders, { error: `Choose one of ${genders.join(', ')}.` })
    .nullable()
    .optional(),
  weight: z
    .number({ error: weightMessage })
    .min(0.1, weightMessage)
    .max(maxWeight, weightMessage)
    .nullable()
    .optional(),
  cellPhone: phone(bounds.cellPhone),
  homePhone: phone(bounds.homePhone),
  currentMedications: lines(bounds.currentMedications),
  allergies: lines(bounds.allergies),
  shippingStreet: line(bounds.street),
  shippingStreetAddress: line(bounds.street),
  shippingCity: line(bounds.city),
  shippingState: line(bounds.state),
  shippingStateProvince: line(bounds.state),
  shippingCountry: line(bounds.country),
  shippingZip: line(bounds.zip),
  shippingZipCode: line(bounds.zip),
  billingStreet: line(bounds.street),
  billingStreetAddress: line(bounds.street),
  billingCity: line(bounds.city),
  billingState: line(bounds.state),
  billingStateProvince: line(bounds.state),
  billingCountry: line(bounds.country),
  billingZip: line(bounds.zip),
  billingZipCode: line(bounds.zip),
}

/** The changes to a profile: any of its fields by any of their names. Blank becomes null. */
export const profileChangesSchema = (now: Date) =>
  z.object({ ...fields, dateOfBirth: birthDate(utcDay(now)) })

/** The same for an admin, who can also change the role (specification, section 7). */
export const userChangesSchema = (now: Date) =>
  profileChangesSchema(now).extend({
    isAdmin: z.boolean({ error: 'This must be true or false.' }).optional(),
  })

export type ProfileChanges = z.output<ReturnType<typeof profileChangesSchema>>

/**
 * The day on which someone was weighed; blank is null.
 * @param today `YYYY-MM-DD` in UTC
 */
export const weightDaySchema = (today: string) =>
  z
    .string({ error: 'Send a date like 2026-03-12 or null.' })
    .nullable()
    .transform((value) => value?.trim() || null)
    .pipe(
      z.iso
        .date({ error: 'Enter a valid date, like 2026-03-12.', abort: true })
        .refine((date) => date <= today, 'Enter today or an earlier day.')
        .refine((date) => date >= earliestBirth, 'Enter a day in 1900 or later.')
        .nullable(),
    )
    .optional()

/** Changes with the day of the weight, which the profile's page asks for. */
export type DatedProfileChanges = ProfileChanges & { weightOn?: string | null | undefined }

/**
 * The day of a weight: the one that was entered, else today for a new weight. The day of the old
 * weight, sent back with a new one, is not the new one's.
 */
export function weightDay(
  stored: { weight: number | null; weightOn: string | null },
  { weight, weightOn }: { weight: number | null; weightOn?: string | null | undefined },
  today: string,
): string | null {
  if (weight === null) return null
  if (weightOn != null && weightOn !== stored.weightOn) return weightOn
  return weight === stored.weight ? stored.weightOn : today
}

const textFields = [
  'firstName',
  'lastName',
  'dateOfBirth',
  'cellPhone',
  'homePhone',
  'currentMedications',
  'allergies',
  'shippingStreet',
  'shippingCity',
  'shippingState',
  'shippingCountry',
  'shippingZip',
  'billingStreet',
  'billingCity',
  'billingState',
  'billingCountry',
  'billingZip',
] as const satisfies readonly (keyof PersonalData)[]
type TextField = (typeof textFields)[number]

const hasLongName = (field: TextField): field is keyof typeof longFieldNames =>
  Object.hasOwn(longFieldNames, field)

/**
 * Applies changes to the stored data. When both names of a field were sent and differ, the one that
 * changes the stored value wins; when both change it, the longer name wins.
 * @param today `YYYY-MM-DD`, the day of a new weight without one
 */
export function applyProfileChanges(
  stored: PersonalData,
  changes: DatedProfileChanges,
  today: string,
): PersonalData {
  const requestedValue = (field: TextField): string | null | undefined => {
    const long = hasLongName(field) ? changes[longFieldNames[field]] : undefined
    return long === undefined || long === stored[field] ? changes[field] : long
  }
  const { gender = stored.gender, weight = stored.weight } = changes
  const weightOn = weightDay(stored, { weight, weightOn: changes.weightOn }, today)
  const changed = { ...stored, gender, weight, weightOn }
  for (const field of textFields) {
    const value = requestedValue(field)
    if (value !== undefined) changed[field] = value
  }
  return changed
}
