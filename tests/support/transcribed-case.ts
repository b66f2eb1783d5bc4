import { signInNewCustomer, signInNewPharmacist, orderOnPrescription, uploadIdDocument } from './customer.ts'
import { signIn } from './signing-in.ts'
import { expect, type Browser, type Page } from '@playwright/test'

/** A case with a transcribed file, opened by the page's pharmacist. */
export async function openTranscribedCase(page: Page, browser: Browser) {
  const customer = await browser.newPage()
  await signInNewCustomer(customer)
  await uploadIdDocument(customer)
  const ordered = await orderOnPrescription(customer)
  await customer.close()
  const path = `/admin/prescriptions?id=${ordered.orderId}`
  await signIn(page, 'pharmacist')
  await page.goto(path)
  await transcribe(page, ordered)
  return {
    path,
    editPath: `${path}&edit=${ordered.prescriptionId}`,
    /** The same case, by the id of its prescription. */
    prescriptionPath: `/admin/prescriptions?id=${ordered.prescriptionId}`,
  }
}

/** The same, with a colleague who is signed in. */
export async function openSharedCase(page: Page, browser: Browser) {
  const paths = await openTranscribedCase(page, browser)
  const colleague = await browser.newPage()
  await signInNewPharmacist(colleague)
  return { ...paths, colleague }
}

/** Transcribes the file through the page's form, as it is posted without scripts. */
async function transcribe(
  page: Page,
  { orderId, prescriptionId, medicines }: Awaited<ReturnType<typeof orderOnPrescription>>,
): Promise<void> {
  const items = medicines.map(({ variantId, units }, at) => ({
    [`items.${at}.variantId`]: variantId,
    [`items.${at}.units`]: String(units),
    [`items.${at}.daysSupply`]: '30',
    [`items.${at}.refills`]: '2',
    [`items.${at}.directions`]: '1 tab po daily',
  }))
  const form: Record<string, string> = Object.assign(
    {
      intent: 'transcribe',
      prescriptionId,
      version: '1',
      caseId: orderId,
      patientName: 'Zoë O’Hara',
      prescriberName: 'Dr. Priya Natarajan',
      npi: '1234567893',
      writtenOn: new Date().toISOString().slice(0, 10),
      'authentication.method': 'original',
      // Other tests upload the same file.
      duplicateNote: 'The prescriber confirmed that both are hers.',
    },
    ...items,
  )
  const { origin } = new URL(page.url())
  const response = await page.request.post(page.url(), { form, headers: { origin }, maxRedirects: 0 })
  expect(response.status()).toBe(303)
}
