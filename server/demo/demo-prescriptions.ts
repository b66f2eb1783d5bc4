import type { PrescriptionText } from '#db/seed/prescription-files/prescription-text.ts'

/** Made up, with the example NPI of the Centers for Medicare & Medicaid Services. */
const natarajan: PrescriptionText['prescriber'] = {
  name: 'Dr. Priya Natarajan',
  clinic: 'Harbor Street Clinic',
  address: '48 Harbor Street, Portland, ME 04101',
  phone: '(207) 555-0177',
  license: 'NPI 1234567893',
}

export const elenasPrescription = (written: Date): PrescriptionText => ({
  prescriber: natarajan,
  patient: {
    name: 'Elena Marsh',
    address: '12 Harbor Lane, Portland, ME 04101',
    birthDate: '3/12/1984',
  },
  written,
  items: [
    { drug: 'Lisinopril 10 mg tablets', directions: '1 tab po daily', quantity: '#100', refills: 'RF 3' },
  ],
})
