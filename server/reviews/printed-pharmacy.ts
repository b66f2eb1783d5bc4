import type { LabelFacts } from '#db/dispensing/label-facts.ts'
import type { LabelPharmacy } from '#domain/dispensing/label.ts'

/** A product's pharmacy as labels print it; null when the product has none. */
export function toPharmacy(facts: LabelFacts | null): LabelPharmacy | null {
  if (!facts || facts.pharmacyName === null) return null
  return {
    name: facts.pharmacyName,
    addressLines: facts.pharmacyAddress?.split('\n') ?? [],
    phone: facts.pharmacyPhone,
    licenseNumber: facts.pharmacyLicense ?? '',
  }
}
