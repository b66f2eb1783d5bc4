import { z } from 'zod'
import { genders } from './accounts.ts'
import { longNames, maxWeight, profileBounds, type PersonalData } from './profile-fields.ts'
import { isBlank, typedLine, typedLines } from '../typed-text.ts'

const wrongType = 'Please send a text or null.'

/** A text, trimmed; blank is none. */
const textOf = (max: number, typed: (text: string) => string) =>
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
        .max(max, `Please shorten this to ${max.toLocaleString('en-US')} characters.`)
        .nullable(),
    )
    .optional()

const line = (max: number) => textOf(max, typedLine)
const lines = (max: number) => textOf(max, typedLines)

const earliestBirth = '1900-01-01'

/** @param today `YYYY-MM-DD` in UTC */
const birthDate = (today: string) =>
  z
    .string({ error: 'Please send a date like 1984-03-12 or null.' })
    .nullable()
    .transform((value) => value?.trim() || null)
    .pipe(
      z.iso
        .date({ error: 'Please enter a date that there is, like 1984-03-12.', abort: true })
        .refine((date) => date <= today, 'Please enter a date of birth that is not in the future.')
        .refine((date) => date >= earliestBirth, 'Please enter a date of birth from 1900 on.')
        .nullable(),
    )
    .optional()

const weightSentence = `Please enter a weight in pounds from 0.1 to ${maxWeight.toLocaleString('en-US')}.`

const bounds = profileBounds
const fields = {
  firstName: line(bounds.firstName),
  lastName: line(bounds.lastName),
  gender: z
    .enum(genders, { error: `Please choose one of ${genders.join(', ')}.` })
    .nullable()
    .optional(),
  weight: z
    .number({ error: weightSentence })
    .min(0.1, weightSentence)
    .max(maxWeight, weightSentence)
    .nullable()
    .optional(),
  cellPhone: line(bounds.cellPhone),
  homePhone: line(bounds.homePhone),
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

/** What may be said to change a profile: any of its fields by any of their names. A blank one is null. */
export const profileChanges = (now: Date) =>
  z.object({ ...fields, dateOfBirth: birthDate(now.toISOString().slice(0, 10)) })

/** The same of an admin, who says of others whether they are one, too (specification, section 7). */
export const userChanges = (now: Date) =>
  profileChanges(now).extend({ isAdmin: z.boolean({ error: 'Please send true or false.' }).optional() })

export type ProfileChanges = z.output<ReturnType<typeof profileChanges>>

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

const hasLongName = (field: TextField): field is keyof typeof longNames => Object.hasOwn(longNames, field)

/**
 * The stored data with the changes made. Where both names of a field were sent and differ, the one that changes the stored value
 * wins; when both change it, the longer name.
 */
export function changeProfile(stored: PersonalData, changes: ProfileChanges): PersonalData {
  const said = (field: TextField): string | null | undefined => {
    const long = hasLongName(field) ? changes[longNames[field]] : undefined
    return long === undefined || long === stored[field] ? changes[field] : long
  }
  const { gender = stored.gender, weight = stored.weight } = changes
  const changed = { ...stored, gender, weight }
  for (const field of textFields) {
    const value = said(field)
    if (value !== undefined) changed[field] = value
  }
  return changed
}
