import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { pharmacyBounds } from './pharmacy-messages.ts'
import { isBlank, typedLine } from '../typed-text.ts'

/** What an admin says of a partner pharmacy (decisions, "Pharmacy fields"). */

const shorten = (max: number): string => `Please shorten it to ${max} characters.`

const required = (ask: string, max: number) =>
  z
    .string({ error: ask })
    .transform(typedLine)
    .refine((text) => !isBlank(text), ask)
    .refine((text) => text.length <= max, shorten(max))

const aDay = 'Please enter a date that there is, like 2027-06-30.'
const listOfCountries = 'Please name at least one country.'

const fields = {
  name: required('Please write a name.', pharmacyBounds.name),
  country: required('Please write a country.', pharmacyBounds.country),
  licenceNumber: required('Please write the licence number.', pharmacyBounds.licenceNumber),
  licenceExpiry: z
    .string({ error: aDay })
    .trim()
    .pipe(z.iso.date({ error: aDay })),
  shipsTo: z
    .array(z.string({ error: listOfCountries }), { error: listOfCountries })
    .transform((names) => [...new Set(names.map(typedLine).filter((name) => !isBlank(name)))])
    .refine((names) => names.length > 0, listOfCountries)
    .refine(
      (names) => names.length <= pharmacyBounds.countries,
      `Please name at most ${pharmacyBounds.countries}.`,
    )
    .refine(
      (names) => names.every((name) => name.length <= pharmacyBounds.country),
      shorten(pharmacyBounds.country),
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
