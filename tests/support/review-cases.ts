import type { Db } from '#db/engine/client.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import type { CaseItem, CasePrescription } from '#domain/dispensing/case-prescription.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { makeUser } from './accounts.ts'
import { addProduct, addVariant, testDay } from './catalog.ts'
import { signedIn, testContext } from './context.ts'
import { placeOrder } from './orders.ts'
import { addPharmacist, answerHealthQuestions } from './pharmacist.ts'
import { addPrescription } from './prescriptions.ts'

export const hourMs = 3600_000
export const dayMs = 24 * hourMs
/** A moment after the test day. */
export const msLater = (ms: number): Date => new Date(testDay.getTime() + ms)

/** A variant of a prescription medicine: by default 24 tablets of lisinopril 10 mg. */
export async function addMedicine(
  db: Db,
  overrides: Parameters<typeof addVariant>[1] & { name?: string } = {},
): Promise<string> {
  const { name = 'Lisinopril', ...variant } = overrides
  const productId = await addProduct(db, { name, category: 'Rx', ingredients: name.toLowerCase() })
  return addVariant(db, { productId, genericName: name, strength: '10', ...variant })
}

/** A customer's order of two packs of a prescription medicine, which waits for a pharmacist. */
export async function openCase(
  db: Db,
  {
    quantity = 2,
    isHealthAnswered = true,
    country = 'United States',
    medicine = {},
  }: {
    quantity?: number
    isHealthAnswered?: boolean
    country?: string
    medicine?: Parameters<typeof addMedicine>[1]
  } = {},
) {
  await db
    .insertInto('pharmacies')
    .values({
      id: newId(),
      name: `Pharmacy ${newId()}`,
      country: 'United States',
      licenseNumber: 'US-1',
      licenseExpiry: '2030-01-01',
      shipsTo: JSON.stringify([country]),
      active: true,
      createdAt: testDay,
      updatedAt: testDay,
    })
    .execute()
  const pharmacist = await addPharmacist(db)
  const customerId = await makeUser(db)
  const customer = testContext(db, { user: signedIn(customerId) })
  if (isHealthAnswered) await answerHealthQuestions(db, customerId)
  const variantId = await addMedicine(db, medicine)
  const prescription = await addPrescription(db, customerId, { now: testDay })
  const order = await placeOrder(db, customerId, {
    items: [{ productVariantId: variantId, quantity }],
    prescriptionId: prescription.id,
  })
  return { pharmacist, customer, customerId, variantId, prescription, order }
}

/** The first line of a case. */
export const lineOf = ({ lines: [line] }: ReviewCase): CaseLine => {
  if (!line) throw new Error('The case has no line.')
  return line
}

/** The first prescription of a case. */
export const prescriptionOf = ({ prescriptions: [prescription] }: ReviewCase): CasePrescription => {
  if (!prescription) throw new Error('The case has no prescription.')
  return prescription
}

/** The first item of a case's first prescription. */
export const itemOf = (current: ReviewCase): CaseItem => {
  const [item] = prescriptionOf(current).items
  if (!item) throw new Error('The prescription has no item.')
  return item
}

/** The error of work that must be refused. */
export const refusal = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`Not refused: ${String(error)}`)
  return error
}
export const fieldsOf = async (work: Promise<unknown>): Promise<Readonly<Record<string, string>>> =>
  (await refusal(work)).fields
