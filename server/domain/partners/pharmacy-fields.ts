import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { pharmacyBounds } from './pharmacy-messages.ts'
import { isBlank, cleanLine } from '../typed-text.ts'

/** What an admin says of a partner pharmacy (settled decisions, "Pharmacy fields"). */

const tooLong = (max: number): string => `Please shorten it to ${max} characters.`

const requiredText = (message: string, max: number) =>
  z
    .string({ error: message })
    .transform(cleanLine)
    .refine((text) => !isBlank(text), message)
    .refine((text) => text.length <= max, tooLong(max))

const invalidDate = 'Please enter a date that there is, like 2027-06-30.'
const countriesRequired = 'Please name at least one country.'

const fields = {
  name: requiredText('Please write a name.', pharmacyBounds.name),
  country: requiredText('Please write a country.', pharmacyBounds.country),
  licenseNumber: requiredText('Please write the licence number.', pharmacyBounds.licenseNumber),
  licenseExpiry: z
    .string({ error: invalidDate })
    .trim()
    .pipe(z.iso.date({ error: invalidDate })),
  shipsTo: z
    .array(z.string({ error: countriesRequired }), { error: countriesRequired })
    .transform((names) => [...new Set(names.map(cleanLine).filter((name) => !isBlank(name)))])
    .refine((names) => names.length > 0, countriesRequired)
    .refine(
      (names) => names.length <= pharmacyBounds.countries,
      `Please name at most ${pharmacyBounds.countries}.`,
    )
    .refine(
      (names) => names.every((name) => name.length <= pharmacyBounds.country),
      tooLong(pharmacyBounds.country),
    ),
  active: z.boolean({ error: 'Please send true or false.' }),
}

export const newPharmacySchema = z.object(fields)
export type NewPharmacy = z.output<typeof newPharmacySchema>

/** What is left out stays. */
export const pharmacyChangesSchema = z.object(fields).partial()
export type PharmacyChanges = z.output<typeof pharmacyChangesSchema>

/** A pharmacy as admins see it. */
export type Pharmacy = NewPharmacy & { id: string }

/** A row of the back office's grid. */
export type PharmacyRow = Pharmacy & {
  version: number
  /** How many products on offer are filled by it. */
  productCount: number
}

export const pharmacyQuerySchema = gridQuerySchema({
  sorts: ['name', 'country', 'expiry'],
  sort: 'name',
  dir: 'asc',
  filters: {},
})
export type PharmacyQuery = z.output<typeof pharmacyQuerySchema>
