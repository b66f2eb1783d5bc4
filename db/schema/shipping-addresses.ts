/** The address of an earlier order, saved for the next one. */
export type ShippingAddressesTable = {
  id: string
  userId: string
  addressType: 'shipping'
  addressHash: string
  /** The five lines as JSON, sealed for the user. */
  sealedAddress: string
  isDefault: boolean
  createdAt: Date
}
