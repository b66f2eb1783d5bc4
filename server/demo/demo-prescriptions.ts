import type { Country, PrescriptionText } from '#db/seed/prescription-files/prescription-text.ts'
import { dayMs } from '#domain/days.ts'

/** A prescription of the demo: what its file says, and what a pharmacist transcribes from it. */
export type DemoPrescription = {
  patient: { name: string; address: string; dateOfBirth: string }
  prescriber: { name: string; clinic: string; address: string; phone: string } & (
    | { npi: string }
    | { license: string; jurisdiction: string }
  )
  medicines: readonly {
    /** Of the demo catalog. */
    variantId: string
    /** As the prescriber wrote it. */
    drug: string
    sig: string
    units: number
    daysSupply: number
    refills: number
  }[]
  /** A photo of a form, or a PDF that the prescriber's software printed. */
  file: 'handwritten' | 'typed' | 'printed'
  country: Country
  writtenDaysAgo: number
}

/** Prescribers are made up. This is the example NPI of CMS's documents. */
const exampleNpi = '1234567893'

export const natarajan = {
  name: 'Dr. Priya Natarajan',
  clinic: 'Harbor Street Clinic',
  address: '48 Harbor Street, Portland, ME 04101',
  phone: '(207) 555-0177',
  npi: exampleNpi,
}

export const elenasPrescription: DemoPrescription = {
  patient: {
    name: 'Elena Marsh',
    address: '12 Harbor Lane, Portland, ME 04101',
    dateOfBirth: '1984-03-12',
  },
  prescriber: natarajan,
  medicines: [
    {
      variantId: '01980000-a099-7715-80ae-90e45369f5dd',
      drug: 'Lisinopril 10 mg tablets',
      sig: '1 tab po daily',
      units: 100,
      daysSupply: 100,
      refills: 3,
    },
    {
      variantId: '01980000-5be1-7997-831d-c5445a60f658',
      drug: 'Metformin 500 mg tablets',
      sig: '1 tab po daily',
      units: 30,
      daysSupply: 30,
      refills: 3,
    },
  ],
  file: 'printed',
  country: 'US',
  writtenDaysAgo: 37,
}

export const writtenOn = ({ writtenDaysAgo }: DemoPrescription, createdAt: Date): Date =>
  new Date(createdAt.getTime() - writtenDaysAgo * dayMs)

/** The file of a prescription, drawn for the time when the account was created. */
export async function drawFile(prescription: DemoPrescription, createdAt: Date): Promise<Buffer> {
  const text = toText(prescription, createdAt)
  const { file, country } = prescription
  if (file === 'printed') {
    const { printPrescription } = await import('#db/seed/demo-documents.ts')
    return printPrescription(text)
  }
  const { drawPrescription } = await import('#db/seed/prescription-files/draw-prescription.ts')
  return drawPrescription(text, { style: file, country })
}

function toText(prescription: DemoPrescription, createdAt: Date): PrescriptionText {
  const { prescriber, patient, medicines, country } = prescription
  const [year, month, day] = patient.dateOfBirth.split('-').map(Number)
  return {
    prescriber: {
      ...prescriber,
      license:
        'npi' in prescriber
          ? `NPI ${prescriber.npi}`
          : `License ${prescriber.license} (${prescriber.jurisdiction})`,
    },
    patient: { ...patient, birthDate: country === 'CA' ? patient.dateOfBirth : `${month}/${day}/${year}` },
    written: writtenOn(prescription, createdAt),
    items: medicines.map(({ drug, sig, units, refills }) => ({
      drug,
      directions: sig,
      quantity: country === 'CA' ? `Mitte: ${units}` : `#${units}`,
      refills: country === 'CA' ? `Rep x ${refills}` : `RF ${refills}`,
    })),
  }
}
