import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** The most copies of the message at one time, and the layout shift. */
    seen: { most: number; shift: number }
  }
}

/** What Chromium's layout-shift entries have (https://wicg.github.io/layout-instability/). */
type Shift = { value: number; sources: readonly { node: Node | null }[] }

/** A toast once its late module shows it. Before that, it is no list item. */
const toast = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem')

async function openToast(page: Page): Promise<void> {
  await page.goto('/checkout')
  await expect(toast(page)).toBeVisible()
}

const loginRequired = 'Login RequiredSign in or create an account. You’ll come back to checkout.Sign In'

test('a message that comes with a page shows once from the first paint and shifts nothing', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const seen = { most: 0, shift: 0 }
    window.seen = seen
    // On a slow machine the parser pauses in the header, and the browser paints what it has. A
    // toast that took room would move the page's content, after the page is parsed.
    const isInHeader = ({ node }: { node: Node | null }) =>
      (node instanceof Element ? node : node?.parentElement)?.closest('header') != null
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & Shift)[])
        if (document.readyState !== 'loading' && !entry.sources.every(isInHeader)) seen.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver(() => {
      const words = document.body?.textContent?.replace(/window\.__[\s\S]*/, '').split('Login Required')
      seen.most = Math.max(seen.most, (words?.length ?? 1) - 1)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  // A font that loads late shifts words slightly, so this test blocks it.
  await page.route('**/*.woff2', () => {})
  await page.goto('/checkout', { waitUntil: 'commit' })
  await expect(page.getByText('Login Required')).toHaveCount(1)
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(toast(page)).toBeVisible()
  await expect(toast(page).getByRole('alert')).toHaveText(loginRequired)
  // Longer than Radix would show an announcer of its own beside it.
  await page.waitForTimeout(1200)
  expect(await page.evaluate(() => window.seen)).toEqual({
    most: 1,
    shift: 0,
  })
})

test('a toast closes after 5,000 ms, and waits while the pointer is over it', async ({ page }) => {
  await page.clock.install()
  await openToast(page)
  // The installed clock runs. From here on, only the test moves it.
  const opened = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(opened + 500)
  await page.clock.runFor(3_500)
  await expect(toast(page)).toBeVisible()
  await toast(page).hover()
  await page.clock.runFor(20_000)
  await expect(toast(page)).toBeVisible()
  await page.mouse.move(10, 10)
  await page.clock.runFor(2_000)
  await expect(toast(page)).toBeHidden()
  await page.clock.resume()
  // The next page does not show it again.
  await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Medications' })).toBeVisible()
  await expect(page.getByText('Login Required')).toHaveCount(0)
})

test('a swipe to the right closes a toast after 50 px and not before', async ({ page }) => {
  await openToast(page)
  const swipe = async (distance: number) => {
    const box = await toast(page).boundingBox()
    if (!box) throw new Error('The toast is not on the page.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + distance, y, { steps: 5 })
    await page.mouse.up()
  }
  await swipe(40)
  await expect(toast(page)).toBeVisible()
  await swipe(-120)
  await expect(toast(page)).toBeVisible()
  await swipe(60)
  await expect(toast(page)).toBeHidden()
})

test('F8 focuses the toasts; Escape and Dismiss close one', async ({ page }) => {
  await openToast(page)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('list')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(toast(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toast(page)).toBeHidden()
  await openToast(page)
  await toast(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast(page)).toBeHidden()
})

test('a visitor signs in from the message at checkout', async ({ page }) => {
  await openToast(page)
  // It stays while the pointer is over it, however long axe takes.
  await toast(page).hover()
  expect(await axeFindings(page, 'colors')).toEqual([])
  await toast(page).getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/login?returnTo=%2Fcheckout')
})

test.describe('when the late module cannot be fetched', () => {
  test.use({ allowedOutput: /Failed to load resource/ })

  test('the message stays readable until it is dismissed', async ({ page }) => {
    await page.clock.install()
    await page.route('**/ToastLayer-*.js', (route) => route.abort())
    await page.goto('/checkout')
    await expect(page.getByRole('combobox')).toBeVisible()
    await page.clock.runFor(5_500)
    await expect(page.getByRole('alert')).toHaveText(loginRequired)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('Login Required')).toHaveCount(0)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a message is a notice at the top of the page, without controls', async ({ page }) => {
    await page.goto('/checkout')
    const notice = page.getByRole('main').getByRole('alert')
    await expect(notice).toHaveText(loginRequired)
    const [above, below] = [
      await notice.boundingBox(),
      await page.getByRole('heading', { level: 1 }).boundingBox(),
    ]
    expect(above && below && above.y + above.height < below.y).toBe(true)
    await expect(page.getByRole('button', { name: 'Dismiss' })).toBeHidden()
    await page.reload()
    await expect(page.getByText('Login Required')).toHaveCount(0)
  })
})
