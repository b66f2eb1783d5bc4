import type { Pharmacy } from '#domain/partners/pharmacy-fields.ts'
import { listPharmacies } from '#server/partners/save-pharmacy.ts'
import { apiLoader, onlyMethods, privateReply } from '../../http/api.server.ts'

export const loader = apiLoader(async (ctx) => privateReply((await listPharmacies(ctx)).map(toReply)))

/** The API keeps the British names that it began with. */
const toReply = ({ id, name, country, licenseNumber, licenseExpiry, shipsTo, active }: Pharmacy) => ({
  id,
  name,
  country,
  licenceNumber: licenseNumber,
  licenceExpiry: licenseExpiry,
  shipsTo,
  active,
})

export const action = onlyMethods('GET')
