import type { Address } from '#domain/accounts/addresses.ts'
import { isUsableAtCheckout } from '#domain/checkout/checkout.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'
import { listAddresses } from '../accounts/list-addresses.ts'
import { getProfile, type Person } from '../accounts/get-profile.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { preselect } from '#domain/dispensing/line-state.ts'
import { listTranscribed } from '../dispensing/list-transcribed.ts'
import { listPatientChoices, type PatientChoice } from '../patients/dependants.ts'
import { listPrescriptions } from '../prescriptions/list-prescriptions.ts'
import { findEarlierChoices } from './find-earlier-choices.ts'
import { findDelivery } from './find-delivery.ts'
import { getCheckoutLines, type CheckoutLines } from './get-checkout-lines.ts'

/** A prescription to choose at checkout. */
export type UsablePrescription = Omit<Prescription, 'patientId'> & {
  /** Whether a pharmacist has transcribed it. Then only its items count. */
  isTranscribed: boolean
  /** Whom it is for: the customer, or a dependant. */
  patientId: string
  dependantName: string | null
}

export type CheckoutView = CheckoutLines & {
  /** The initial address; empty fields when none is known. */
  address: Address
  /** The delivery time to the initial address, in a sentence. */
  delivery: string
  /** Whether the pharmacies ship to the initial address. True without a country. */
  isDestinationServed: boolean
  /** Every known address, without duplicates. */
  addresses: Address[]
  /** The prescriptions to choose from, newest first; none when the cart needs none. */
  prescriptions: UsablePrescription[]
  /** The prescription that is selected at first, or null. */
  preselectedId: string | null
  /** Whom the customer has just added. Selected whatever they chose before. */
  addedId: string | null
  /** The newest prescription, if some line needs one to be chosen. */
  newestId: string | null
  /**
   * Changes when what the customer chose in another tab or before no longer counts: after an order,
   * an attempt to pay, or ordering again.
   */
  choicesKey: string
  /** The customer and the people they care for, when there are any to choose from. */
  patients: PatientChoice[]
  /** Who is selected at first; empty without a choice. */
  patientId: string
}

/**
 * What the checkout page shows, or null when the cart is empty. Changes nothing. Throws
 * UNAUTHENTICATED.
 * @param start.address the index in `addresses` of the address to start with
 * @param start.addedId whom the customer has just added
 */
export async function getCheckoutView(
  ctx: Context,
  start: { address?: number; addedId?: string | null } = {},
): Promise<CheckoutView | null> {
  const order = await getCheckoutLines(ctx)
  if (order.lines.length === 0) return null
  const patients = await listPatientChoices(ctx)
  const [person, saved, uploaded, earlier] = await Promise.all([
    getProfile(ctx),
    listAddresses(ctx),
    order.needsPrescription ? listUsable(ctx, patients) : [],
    findEarlierChoices(ctx),
  ])
  const known = [earlier.address, profileAddress(person), ...saved.map(toAddress)].filter(
    (address) => address !== null,
  )
  const addresses = [
    ...new Map(known.map((address) => [JSON.stringify(address).toLowerCase(), address])).values(),
  ]
  const address = addresses[start.address ?? 0] ?? addresses[0] ?? noAddress
  const hasChoice = patients.length > 1 && order.lines.some(({ product }) => product.category !== 'Rx')
  const added = hasChoice ? find(patients, start.addedId ?? null) : undefined
  const lineStates = order.lines.map(({ prescription }) => prescription)
  return {
    ...order,
    address,
    ...(await findDelivery(ctx, {
      productIds: order.lines.map(({ product }) => product.id),
      country: address.country,
    })),
    addresses,
    prescriptions: uploaded,
    patients: hasChoice ? patients : [],
    patientId: hasChoice ? ((added ?? find(patients, earlier.patientId) ?? patients[0])?.id ?? '') : '',
    addedId: added?.id ?? null,
    preselectedId:
      (findEarlier(uploaded, earlier.prescription) ?? preselect(lineStates, uploaded))?.id ?? null,
    newestId: (lineStates.some((line) => line?.needsPrescription) && uploaded[0]?.id) || null,
    choicesKey: String(earlier.changedAt),
  }
}

const find = <T extends { id: string }>(choices: readonly T[], id: string | null): T | undefined =>
  choices.find((choice) => choice.id === id)

/** The prescription that was chosen before, or one that was uploaded since. */
function findEarlier(
  uploaded: readonly UsablePrescription[],
  earlier: { id: string; at: Date } | null,
): UsablePrescription | undefined {
  const [newest] = uploaded
  if (!earlier || !newest) return undefined
  return newest.uploadedAt > earlier.at ? newest : find(uploaded, earlier.id)
}

async function listUsable(ctx: Context, patients: readonly PatientChoice[]): Promise<UsablePrescription[]> {
  const { id: userId } = requireUser(ctx)
  const names = new Map(patients.flatMap(({ id, name, isSelf }) => (isSelf ? [] : [[id, name] as const])))
  const prescriptions = (await listPrescriptions(ctx)).filter(
    // Not those of dependants whom the customer removed.
    ({ status, patientId }) => isUsableAtCheckout(status) && (patientId === null || names.has(patientId)),
  )
  const transcribed = await listTranscribed(ctx, userId)
  return prescriptions.map((prescription) => ({
    ...prescription,
    isTranscribed: transcribed.has(prescription.id),
    patientId: prescription.patientId ?? userId,
    dependantName: names.get(prescription.patientId ?? '') ?? null,
  }))
}

const noAddress: Address = { streetAddress: '', city: '', stateProvince: '', zipCode: '', country: '' }

/** Null when the profile has no part of an address. */
function profileAddress(person: Person): Address | null {
  const address: Address = {
    streetAddress: person.shippingStreet ?? '',
    city: person.shippingCity ?? '',
    stateProvince: person.shippingState ?? '',
    zipCode: person.shippingZip ?? '',
    country: person.shippingCountry ?? '',
  }
  return Object.values(address).some((line) => line !== '') ? address : null
}

const toAddress = ({ streetAddress, city, stateProvince, zipCode, country }: Address): Address => ({
  streetAddress,
  city,
  stateProvince,
  zipCode,
  country,
})
