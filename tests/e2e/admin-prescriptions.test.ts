import { expect, test } from '#tests/support/browser.ts'
import {
  addPrescription,
  becomeCustomer,
  reviewPrescription,
  uploadIdDocument,
} from '#tests/support/customer.ts'
import { signIn } from '#tests/support/signing-in.ts'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /status of 4(09|22)/ })

test('works through the queue by keyboard: asks, rejects, shows another decision first, and moves on', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await becomeCustomer(customer)
  await uploadIdDocument(customer)
  const doctors = ['Dr. First', 'Dr. Second', 'Dr. Third']
  const ids: string[] = []
  for (const doctorName of doctors) ids.push(await addPrescription(customer, { doctorName }))

  await signIn(page, 'admin')
  await page.goto(`/admin/prescriptions?id=${ids[0]}`)
  const main = page.getByRole('main')
  const queue = main.getByRole('region', { name: 'Queue' })
  const facts = main.getByRole('region', { name: 'Prescription', exact: true })
  await expect(facts).toContainText('Dr. First')
  await expect(main.getByTitle('Prescription of Zoë O’Hara')).toHaveAttribute(
    'src',
    /\/file\?frame#view=FitH$/,
  )
  await page.keyboard.press('i')
  await expect(main.getByTitle('ID document of Zoë O’Hara')).toBeVisible()
  await page.keyboard.press('j')
  await expect(facts).toContainText('Dr. Second')

  // A fast user: the key press arrives in the same moment as its prescription.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const isThere = document
        .querySelector('main [aria-label=Prescription]')
        ?.textContent.includes('Dr. First')
      if (!isThere) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'q', bubbles: true, cancelable: true }))
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  await page.keyboard.press('k')
  await expect(facts).toContainText('Dr. First')
  const questionDialog = page.getByRole('dialog', { name: 'Ask the customer' })
  await questionDialog.getByRole('button', { name: 'Send question' }).click()
  await expect(questionDialog.getByText('Enter a question.')).toBeVisible()
  await questionDialog.getByLabel('Question').fill('Which dose?')
  await questionDialog.getByRole('button', { name: 'Send question' }).click()
  await expect(questionDialog).toBeHidden()
  await expect(main.getByText('Not answered yet.')).toBeVisible()
  await expect(queue.getByText('Asked')).toBeVisible()

  // The customer answers on the prescription's card.
  await customer.goto('/prescriptions')
  const card = customer.getByRole('article', { name: 'Dr. First' })
  await card.getByLabel('Your answer').fill('20 mg')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(card.getByText('Your answer: 20 mg')).toBeVisible()

  // The answer came after the page was opened, so it is shown before a decision is saved.
  await page.keyboard.press('r')
  const reject = page.getByRole('dialog', { name: 'Reject prescription' })
  await reject.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(reject.getByText('Enter a reason for the rejection.')).toBeVisible()
  await reject.getByRole('button', { name: 'The signature is missing.' }).click()
  await reject.getByRole('button', { name: 'Reject', exact: true }).click()
  const stale = main.getByRole('alert')
  await expect(stale).toContainText('20 mg')
  await stale.getByRole('button', { name: 'Keep my edit' }).click()
  await expect(page.getByText('Rejected: Zoë O’Hara')).toBeVisible()
  await expect(facts).toContainText('Dr. Second')

  // Another admin decides first.
  await reviewPrescription(customer, ids[1] ?? '', { status: 'rejected', statusReason: 'Cut off' })
  // Decision keys are ignored for a moment after a decision.
  await expect(async () => {
    await page.keyboard.press('a')
    await expect(stale).toContainText('Cut off', { timeout: 5_000 })
  }).toPass()
  await stale.getByRole('button', { name: 'Use current values' }).click()
  await expect(facts).toContainText('Cut off')
  await page.keyboard.press('j')
  await expect(facts).toContainText('Dr. Third')
  await page.keyboard.press('a')
  await expect(page.getByText('Approved: Zoë O’Hara')).toBeVisible()

  await main.getByRole('link', { name: 'Approved', exact: true }).click()
  await expect(queue.getByRole('link').filter({ hasText: 'Zoë O’Hara' })).not.toHaveCount(0)
  await page.goto(`/admin/prescriptions?id=${ids[2]}`)
  await main.getByRole('button', { name: 'Review again' }).click()
  await expect(page.getByText('Under review: Zoë O’Hara')).toBeVisible()

  await customer.reload()
  await expect(customer.getByRole('article', { name: 'Dr. First' })).toContainText(
    'Reason: The signature is missing.',
  )
  await customer.close()
})
