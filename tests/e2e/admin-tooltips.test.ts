import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

test('a tooltip opens after 700 ms or at Tab, the next one at once, and Escape closes it alone', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.clock.install({ time: 0 })
  await page.goto('/admin/products?q=naproxen')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
  const tooltip = page.getByRole('tooltip')
  const [remove, history] = [/^Delete/, /^History/].map((name) => page.getByRole('button', { name }).first())
  if (!remove || !history) throw new Error('The row has no actions.')
  await expect(remove).toHaveAttribute('title', 'Delete')
  await page.clock.pauseAt(3_600_000)
  const loaded = page.waitForResponse(/TooltipLayer-/)
  await remove.hover()
  await loaded
  // Emptied, so that the browser does not show it too.
  await expect(remove).toHaveAttribute('title', '')
  await page.clock.runFor(690)
  await expect(tooltip).toHaveCount(0)
  await page.clock.runFor(20)
  await expect(tooltip).toHaveText('Delete')

  await page.getByRole('heading', { level: 1 }).hover()
  await page.mouse.move(600, 100, { steps: 5 })
  await expect(tooltip).toHaveCount(0)
  await expect(remove).toHaveAttribute('title', 'Delete')
  await page.clock.runFor(200)
  await history.hover()
  await expect(tooltip).toHaveText('History')
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)

  await page.clock.resume()
  // The dialog focuses its Close without a tooltip. Tab shows it, and Escape leaves the dialog.
  await history.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'History' })
  const close = dialog.getByRole('button', { name: 'Close' })
  await page.clock.runFor(1000)
  await expect(close).toBeFocused()
  await expect(tooltip).toHaveCount(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByRole('tooltip')).toHaveText('Close')
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a tooltip closes when the page gets too narrow for what it names', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/manufacturers')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
  await page.keyboard.press('Control+b')
  await page.getByRole('link', { name: 'Pharmacies' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Pharmacies')
  await page.setViewportSize({ width: 767, height: 800 })
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
})
