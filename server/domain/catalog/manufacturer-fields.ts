import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { isBlank, cleanLine } from '../clean-text.ts'

/** Fields of a manufacturer that an admin edits (specification, sections 3 and 5). */

export const manufacturerBounds = { name: 200, text: 200 } as const

const tooLong = (max: number): string => `Enter at most ${max} characters.`

const name = z
  .string({ error: 'Enter a name.' })
  .transform(cleanLine)
  .refine((text) => !isBlank(text), 'Enter a name.')
  .refine((text) => text.length <= manufacturerBounds.name, tooLong(manufacturerBounds.name))

const optional = z
  .string({ error: 'Enter text.' })
  .nullable()
  .transform((text) => (text === null || isBlank(text) ? null : cleanLine(text)))
  .refine((text) => text === null || text.length <= manufacturerBounds.text, tooLong(manufacturerBounds.text))

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

/** Fields left out stay unchanged. */
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
