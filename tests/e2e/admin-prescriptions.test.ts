import { expect, test } from '#tests/support/browser.ts'
import { addPrescription, becomeCustomer, decide, giveIdDocument } from '#tests/support/customer.ts'
import { signIn } from '#tests/support/signing-in.ts'

// What is refused on purpose is told on the console, too.
test.use({ allowedOutput: /status of 4(09|22)/ })

test('the queue is worked through by keys: a question is asked, one rejected, one that somebody else decided shown first, and the next comes', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await becomeCustomer(customer)
  await giveIdDocument(customer)
  const doctors = ['Dr. First', 'Dr. Second', 'Dr. Third']
  const ids: string[] = []
  for (const doctorName of doctors) ids.push(await addPrescription(customer, { doctorName }))

  await signIn(page, 'admin')
  await page.goto(`/admin/prescriptions?id=${ids[0]}`)
  const main = page.getByRole('main')
  const queue = main.getByRole('region', { name: 'Queue' })
  const facts = main.getByRole('region', { name: 'Prescription' })
  await expect(facts).toContainText('Dr. First')
  await expect(main.getByTitle('Prescription of Zoë O’Hara')).toHaveAttribute('src', /\/file\?frame$/)
  await page.keyboard.press('i')
  await expect(main.getByTitle('ID document of Zoë O’Hara')).toBeVisible()
  await page.keyboard.press('j')
  await expect(facts).toContainText('Dr. Second')

  // Who is quick: the key for a question comes with the very prescription that it is about.
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
  const ask = page.getByRole('dialog', { name: 'Ask the customer' })
  await ask.getByRole('button', { name: 'Send question' }).click()
  await expect(ask.getByText('Please write a question.')).toBeVisible()
  await ask.getByLabel('Question').fill('Which dose?')
  await ask.getByRole('button', { name: 'Send question' }).click()
  await expect(ask).toBeHidden()
  await expect(main.getByText('Not answered yet.')).toBeVisible()
  await expect(queue.getByText('Asked')).toBeVisible()

  // The customer answers where it was asked; what could not be sent stays.
  await customer.goto('/prescriptions')
  const card = customer.getByRole('article', { name: 'Dr. First' })
  await card.getByLabel('Your answer').fill('20 mg')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(card.getByText('Your answer: 20 mg')).toBeVisible()

  // The answer came after this page was opened, so it is shown before anything is decided.
  await page.keyboard.press('r')
  const reject = page.getByRole('dialog', { name: 'Reject prescription' })
  await reject.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(reject.getByText('Please say why it is rejected.')).toBeVisible()
  await reject.getByRole('button', { name: 'The signature is missing.' }).click()
  await reject.getByRole('button', { name: 'Reject', exact: true }).click()
  const stale = main.getByRole('alert')
  await expect(stale).toContainText('20 mg')
  await stale.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByText('Rejected: Zoë O’Hara')).toBeVisible()
  await expect(facts).toContainText('Dr. Second')

  // Somebody else decides meanwhile.
  await decide(customer, ids[1] ?? '', { status: 'rejected', statusReason: 'Cut off' })
  // For a moment after a decision a key decides nothing: who works through the queue looks at the next one first.
  await expect(async () => {
    await page.keyboard.press('a')
    await expect(stale).toContainText('Cut off', { timeout: 1500 })
  }).toPass()
  await stale.getByRole('button', { name: 'Take theirs' }).click()
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
