import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { pharmacyBounds } from './pharmacy-messages.ts'
import { isBlank, cleanLine, cleanLines } from '../clean-text.ts'

/** The fields of a partner pharmacy (settled decisions, "Pharmacy fields"). */

const tooLong = (max: number): string => `Enter at most ${max} characters.`

const requiredText = (message: string, max: number) =>
  z
    .string({ error: message })
    .transform(cleanLine)
    .refine((text) => !isBlank(text), message)
    .refine((text) => text.length <= max, tooLong(max))

const optionalText = (max: number, clean: (text: string) => string) =>
  z
    .string()
    .nullable()
    .transform((text) => (text === null || isBlank(text) ? null : clean(text)))
    .refine((text) => text === null || text.length <= max, tooLong(max))

const invalidDate = 'Enter a valid date, like 2027-06-30.'
const countriesRequired = 'Enter at least one country.'

const fields = {
  name: requiredText('Enter a name.', pharmacyBounds.name),
  country: requiredText('Enter a country.', pharmacyBounds.country),
  licenseNumber: requiredText('Enter the license number.', pharmacyBounds.licenseNumber),
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
      `Enter at most ${pharmacyBounds.countries} countries.`,
    )
    .refine(
      (names) => names.every((name) => name.length <= pharmacyBounds.country),
      tooLong(pharmacyBounds.country),
    ),
  active: z.boolean({ error: 'This must be true or false.' }),
  /** Printed on dispensing labels, one line each. */
  address: optionalText(pharmacyBounds.address, cleanLines),
  phone: optionalText(pharmacyBounds.phone, cleanLine),
}

export const newPharmacySchema = z.object({
  ...fields,
  address: fields.address.default(null),
  phone: fields.phone.default(null),
})
export type NewPharmacy = z.output<typeof newPharmacySchema>

/** Omitted fields keep their values. */
export const pharmacyChangesSchema = z.object(fields).partial()
export type PharmacyChanges = z.output<typeof pharmacyChangesSchema>

/** A pharmacy as admins see it. */
export type Pharmacy = NewPharmacy & { id: string }

/** A row of the back office's grid. */
export type PharmacyRow = Pharmacy & {
  version: number
  /** How many active products it fills. */
  productCount: number
}

export const pharmacyQuerySchema = gridQuerySchema({
  sorts: ['name', 'country', 'expiry'],
  sort: 'name',
  dir: 'asc',
  filters: {},
})
export type PharmacyQuery = z.output<typeof pharmacyQuerySchema>
