import { z } from 'zod'

const line = z.string()

/** Where a parcel goes. */
export const addressSchema = z.object({
  streetAddress: line,
  city: line,
  stateProvince: line,
  zipCode: line,
  country: line,
})

/** An address kept from an order for the next one. */
export type SavedAddress = z.infer<typeof addressSchema> & {
  id: string
  addressType: 'shipping'
  isDefault: boolean
}
