import type { Address } from '#domain/accounts/addresses.ts'
import { natarajan, type DemoPrescription } from './demo-prescriptions.ts'

/** A customer of the demo whose order is in the pharmacists' queue, and how far it is. */
export type DemoPatient = {
  /** Part of the request ids that the audit log records, so that each step is done only once. */
  name: string
  email: string
  firstName: string
  lastName: string
  allergies: string
  currentMedications?: string
  shipTo: Address
  prescription: DemoPrescription
  /** Before the account's creation. */
  hoursAgo: number
  /** Variants of the demo catalog that need no prescription. */
  alsoOrders: string[]
  /** What the pharmacist has done. `first cleared`: the other line still waits. */
  state:
    | { is: 'new' }
    | { is: 'asked'; question: string }
    | { is: 'refused'; reason: string }
    | { is: 'first cleared' }
}

const boudreau = {
  name: 'Dr. Claire Boudreau',
  clinic: 'Riverside Clinic',
  address: '210 Bank Street, Ottawa, ON K2P 1X4',
  phone: '(613) 555-0188',
  license: '00000',
  jurisdiction: 'CA-ON',
}

const whitfield = {
  ...natarajan,
  name: 'Dr. Owen Whitfield',
  clinic: 'Lakeside Family Practice',
  address: '7 Lakeside Drive, Madison, WI 53703',
  phone: '(608) 555-0151',
}

const metformin = {
  variantId: '01980000-f63c-75dd-85aa-63c4a195e3f0',
  drug: 'Metformin 500 mg tab',
  sig: '1 tab po bid',
  units: 60,
  daysSupply: 30,
  refills: 2,
}
const lisinopril = {
  variantId: '01980000-53d6-7eb9-8411-7efffa06460e',
  drug: 'Lisinopril 20 mg tab',
  sig: '1 tab po daily',
  units: 30,
  daysSupply: 30,
  refills: 5,
}
const simvastatin = {
  variantId: '01980000-cc31-7cf1-8469-c364388edd4c',
  drug: 'Simvastatin 20 mg tab',
  sig: '1 tab po daily',
  units: 30,
  daysSupply: 30,
  refills: 2,
}
const levothyroxine = {
  variantId: '01980000-a4ce-7090-8020-c1d69b4aac30',
  drug: 'Levothyroxine 25 mcg tab',
  sig: '1 tab po daily',
  units: 100,
  daysSupply: 100,
  refills: 1,
}
const acetaminophen = '01980000-d6fe-78bf-806e-16af45483fcf'

const usAddress = (streetAddress: string, city: string, stateProvince: string, zipCode: string): Address => ({
  streetAddress,
  city,
  stateProvince,
  zipCode,
  country: 'United States',
})

type PatientFields = Pick<DemoPatient, 'firstName' | 'lastName' | 'shipTo'> & { dateOfBirth: string }

/** The patient as the file names them. */
const onFile = ({
  firstName,
  lastName,
  shipTo,
  dateOfBirth,
}: PatientFields): DemoPrescription['patient'] => ({
  name: `${firstName} ${lastName}`,
  address: `${shipTo.streetAddress}, ${shipTo.city}, ${shipTo.stateProvince} ${shipTo.zipCode}`,
  dateOfBirth,
})

const walter = {
  firstName: 'Walter',
  lastName: 'Quinn',
  shipTo: usAddress('7 Fern Road', 'Madison', 'WI', '53703'),
  dateOfBirth: '1961-05-02',
}
const margaret = {
  firstName: 'Margaret',
  lastName: 'Oyelaran',
  shipTo: usAddress('300 Lake Street', 'Burlington', 'VT', '05401'),
  dateOfBirth: '1958-07-19',
}
const samuel = {
  firstName: 'Samuel',
  lastName: 'Ito',
  shipTo: usAddress('91 Alder Avenue', 'Denver', 'CO', '80202'),
  dateOfBirth: '1972-11-30',
}
const nora = {
  firstName: 'Nora',
  lastName: 'Lindgren',
  shipTo: usAddress('15 Prairie Way', 'Austin', 'TX', '73301'),
  dateOfBirth: '1990-02-08',
}
const tomas = {
  firstName: 'Tomas',
  lastName: 'Rivera',
  shipTo: usAddress('62 Mill Lane', 'Portland', 'ME', '04101'),
  dateOfBirth: '1967-09-21',
}

/** The longest wait first, so that ids sort like times. */
export const demoPatients: readonly DemoPatient[] = [
  {
    name: 'demo-nora',
    email: 'nora.lindgren@customer.example',
    ...nora,
    allergies: 'No known allergies',
    prescription: {
      patient: onFile(nora),
      prescriber: whitfield,
      medicines: [lisinopril],
      file: 'handwritten',
      country: 'US',
      writtenDaysAgo: 430,
    },
    hoursAgo: 50,
    alsoOrders: [acetaminophen],
    state: {
      is: 'refused',
      reason: 'The prescription was written more than 12 months ago. Ask your doctor for a new one.',
    },
  },
  {
    name: 'demo-samuel',
    email: 'samuel.ito@customer.example',
    ...samuel,
    allergies: 'Sulfa',
    prescription: {
      patient: onFile(samuel),
      prescriber: natarajan,
      medicines: [simvastatin],
      file: 'printed',
      country: 'US',
      writtenDaysAgo: 6,
    },
    hoursAgo: 26,
    alsoOrders: [],
    state: {
      is: 'asked',
      question: 'Do you still take the tablets that your last pharmacy filled? How many are left?',
    },
  },
  {
    name: 'demo-tomas',
    email: 'tomas.rivera@customer.example',
    ...tomas,
    allergies: 'No known allergies',
    // Two lists name it with simvastatin, so the pharmacist has an alert to decide on.
    currentMedications: 'Clarithromycin 500 mg, twice a day for a week',
    prescription: {
      patient: onFile(tomas),
      prescriber: natarajan,
      medicines: [lisinopril, simvastatin],
      file: 'typed',
      country: 'US',
      writtenDaysAgo: 3,
    },
    hoursAgo: 20,
    alsoOrders: [],
    state: { is: 'first cleared' },
  },
  {
    name: 'demo-margaret',
    email: 'margaret.oyelaran@customer.example',
    ...margaret,
    allergies: 'Penicillin',
    prescription: {
      patient: onFile(margaret),
      prescriber: boudreau,
      medicines: [levothyroxine],
      file: 'typed',
      country: 'CA',
      writtenDaysAgo: 4,
    },
    hoursAgo: 8,
    alsoOrders: [],
    state: { is: 'new' },
  },
  {
    name: 'demo-walter',
    email: 'walter.quinn@customer.example',
    ...walter,
    allergies: 'No known allergies',
    prescription: {
      patient: onFile(walter),
      prescriber: whitfield,
      medicines: [metformin, lisinopril],
      file: 'handwritten',
      country: 'US',
      writtenDaysAgo: 2,
    },
    hoursAgo: 2,
    alsoOrders: [],
    state: { is: 'new' },
  },
]
