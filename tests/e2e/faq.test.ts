import { expect, test } from '#tests/support/browser.ts'
import type { Locator, Page } from '@playwright/test'

const accordions = [
  ['/faq', 'faq', 6],
  ['/', 'questions', 8],
] as const

const entriesOf = (page: Page, name: string): Locator =>
  page.getByRole('main').locator(`details[name="${name}"]`)

/** Only this entry is open, and its answer is visible. */
async function expectOnlyOpen(entries: Locator, index: number): Promise<void> {
  await expect(entries.nth(index).getByRole('paragraph')).toBeVisible()
  await expect(entries.and(entries.page().locator('[open]'))).toHaveCount(1)
  await expect(entries.nth(index)).toHaveAttribute('open')
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    for (const [path, name, count] of accordions) {
      test(`${path}: a click opens a question and closes the previous one`, async ({ page }) => {
        await page.goto(path)
        const entries = entriesOf(page, name)
        await expect(entries).toHaveCount(count)
        await expect(entries.first().getByRole('paragraph')).toBeHidden()
        for (let index = 0; index < count; index++) {
          await entries.nth(index).locator('summary').click()
          await expectOnlyOpen(entries, index)
        }
        await entries.last().locator('summary').click()
        await expect(entries.last().getByRole('paragraph')).toBeHidden()
      })

      test(`${path}: the keyboard reaches and opens questions, one at a time`, async ({ page }) => {
        await page.goto(path)
        const entries = entriesOf(page, name)
        await entries.first().locator('summary').focus()
        await page.keyboard.press('Enter')
        await expectOnlyOpen(entries, 0)
        // The answer's own link comes before the next question.
        await page.keyboard.press('Tab')
        await expect(entries.first().getByRole('link')).toBeFocused()
        await page.keyboard.press('Tab')
        await expect(entries.nth(1).locator('summary')).toBeFocused()
        await page.keyboard.press('Space')
        await expectOnlyOpen(entries, 1)
      })
    }
  })
}

test('a printed page shows every answer, without header and footer', async ({ page }) => {
  await page.goto('/faq')
  await page.emulateMedia({ media: 'print' })
  const entries = entriesOf(page, 'faq')
  for (let index = 0; index < 6; index++)
    await expect(entries.nth(index).getByRole('paragraph')).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
})

test('a link from another page opens its section of the terms', async ({ page }) => {
  await page.goto('/')
  const entry = entriesOf(page, 'questions').last()
  await entry.locator('summary').click()
  await entry.getByRole('link', { name: 'Returns and refunds' }).click()
  await expect(page).toHaveURL(/\/terms#returns-and-refunds$/)
  await expect(page.getByRole('heading', { name: 'Returns and Refunds' })).toBeInViewport()
})
