import type { Pharmacy } from '#domain/partners/pharmacy-fields.ts'
import { listPharmacies } from '#server/partners/save-pharmacy.ts'
import { apiLoader, methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = apiLoader(async (ctx) => privateReply((await listPharmacies(ctx)).map(toReply)))

/** The API keeps its original British field names. */
const toReply = ({ id, name, country, licenseNumber, licenseExpiry, shipsTo, active }: Pharmacy) => ({
  id,
  name,
  country,
  licenceNumber: licenseNumber,
  licenceExpiry: licenseExpiry,
  shipsTo,
  active,
})

export const action = methodNotAllowed('GET')
