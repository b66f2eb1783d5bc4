/** Health data, which must not appear in emails either. */
export const health = {
  birthDate: '1961-07-23',
  medications: 'Xanomeline-Trospium 125 mg',
  allergies: 'Quinoline & "Sulfa" séria',
  doctor: 'Dr. Philippa Wrenfield-Ågård',
  notes: 'Only before noon; see chart Q-7781',
  reason: 'The signature of page 2 is unreadable (R-9917)',
  question: 'Do you still take perphenazine at night?',
  answer: 'Twice a night since the spring, says Dr. Umberfield',
  directions: 'Dissolve 1 planted wafer under the tongue at dusk',
  prescriber: 'Theodora Plantwright-Ng, DO',
  authenticationNote: 'Reached the practice by the state board’s planted number',
  draft: 'Draft: ask whether the planted dose is a typo',
  call: 'Called the planted practice: the dose is right',
  refusal: 'Planted: the dose does not fit the patient',
  prescription: 'PLANTED-PRESCRIPTION-BYTES-44821',
  idDocument: 'PLANTED-PASSPORT-BYTES-90317',
  refusedFile: 'PLANTED-REFUSED-BYTES-51500',
  search: 'vortioxetine-planted-search',
  weight: 'weight-of-183-planted',
}

export const planted = {
  ...health,
  firstName: 'Zebediah',
  lastName: 'Quillfeather-O’Hara',
  email: 'zebediah.quillfeather@customer.example',
  newEmail: 'zq-elsewhere@customer.example',
  unknownEmail: 'unknown-planted@customer.example',
  password: 'correct horse battery planted',
  wrongPassword: 'wrong horse battery planted',
  newPassword: 'newer horse battery planted',
  cellPhone: '+1 555 0177 3391',
  homePhone: '+1 555 0188 4402',
  shippingStreet: '4711 Thistledown Crescent',
  shippingCity: 'Wexcombe-on-Planted',
  shippingZip: 'ZQ4 7PL',
  billingStreet: '99 Ledgerbook Alley',
  userAgent: 'PlantedBrowser/77.1 (Zebediah)',
  contactName: 'Wilhelmina Planted',
  contactMessage: 'My order of tirzepatide never came.',
  orderStreet: '7 Marchpane Mews, Flat Planted',
  orderCity: 'Ottery-under-Planted',
}

/** What was ordered: the catalog contains it in plaintext, and no customer data may. */
export const ordered = { medicine: 'Plantedolol hydrobromide', brand: 'Plantabrand Forte' }
