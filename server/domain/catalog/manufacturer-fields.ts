import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { isBlank, typedLine } from '../typed-text.ts'

/** What an admin says of a manufacturer (specification, sections 3 and 5). */

export const manufacturerBounds = { name: 200, text: 200 } as const

const shorten = (max: number): string => `Please shorten it to ${max} characters.`

const name = z
  .string({ error: 'Please write a name.' })
  .transform(typedLine)
  .refine((text) => !isBlank(text), 'Please write a name.')
  .refine((text) => text.length <= manufacturerBounds.name, shorten(manufacturerBounds.name))

const optional = z
  .string({ error: 'Please write text.' })
  .nullable()
  .transform((text) => (text === null || isBlank(text) ? null : typedLine(text)))
  .refine((text) => text === null || text.length <= manufacturerBounds.text, shorten(manufacturerBounds.text))

const fields = {
  name,
  streetAddress: optional,
  city: optional,
  stateProvince: optional,
  country: optional,
  postalCode: optional,
}

export const newManufacturerSchema = z.object({
  name,
  streetAddress: optional.default(null),
  city: optional.default(null),
  stateProvince: optional.default(null),
  country: optional.default(null),
  postalCode: optional.default(null),
})
export type NewManufacturer = z.output<typeof newManufacturerSchema>

/** What is left out stays. */
export const manufacturerChangesSchema = z.object(fields).partial()
export type ManufacturerChanges = z.output<typeof manufacturerChangesSchema>

/** A manufacturer as admins see it. */
export type Manufacturer = NewManufacturer & { id: string }

/** A row of the back office's grid. */
export type ManufacturerRow = Manufacturer & { version: number; variantCount: number }

export const manufacturerQuerySchema = gridQuerySchema({
  sorts: ['name', 'country'],
  sort: 'name',
  dir: 'asc',
  filters: {},
})
export type ManufacturerQuery = z.output<typeof manufacturerQuerySchema>
