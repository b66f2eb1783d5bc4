import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import type { Browser, Page } from '@playwright/test'
import { scriptedStates, states } from '#tests/support/page-states.ts'

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond, 'scrolls sideways').toBeLessThanOrEqual(0)
}

const setTheme = (page: Page, theme: string): Promise<void> =>
  page.evaluate((value) => {
    document.documentElement.dataset['theme'] = `pharma-${value}`
  }, theme)

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await setTheme(page, 'light')
  expect(await axeFindings(page)).toEqual([])
  await expectNoSidewaysScroll(page)
  // The themes differ in their colours and in nothing else.
  await setTheme(page, 'dark')
  expect(await axeFindings(page, 'colours')).toEqual([])
}

/**
 * The page that a browser without scripts has reached, opened once more where axe, itself a script, can run: the
 * same document without its scripts, and styles that take the browser for one without.
 */
async function copyWithoutScripts(page: Page, browser: Browser): Promise<Page> {
  const html = (await page.content()).replace(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')
  const openPopover = await page.evaluate(() => document.querySelector(':popover-open')?.id ?? null)
  const context = await browser.newContext({
    viewport: page.viewportSize(),
    reducedMotion: 'reduce',
    javaScriptEnabled: true,
  })
  const copy = await context.newPage()
  await copy.route(page.url(), (route) => route.fulfill({ body: html, contentType: 'text/html' }))
  await copy.route('**/*.css', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('(scripting:none)', '(min-width:0)')
    await route.fulfill({ response, body })
  })
  await copy.goto(page.url())
  if (openPopover)
    await copy.locator(`#${openPopover}`).evaluate((popover: HTMLElement) => popover.showPopover())
  return copy
}

test.use({ allowedOutput: /status of (404|409|422)/, reducedMotion: 'reduce' })

for (const width of [360, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } })
    for (const [name, reach] of Object.entries({ ...states, ...scriptedStates })) {
      test(`${name}: axe finds nothing in either theme, and nothing scrolls sideways`, async ({ page }) => {
        await reach(page)
        await expectAccessibleInBothThemes(page)
        // A screen of 1280 px at 400 % (WCAG 1.4.10).
        await page.setViewportSize({ width: 320, height: 256 })
        await expectNoSidewaysScroll(page)
      })
    }
  })

  test.describe(`${width} px, without scripts`, () => {
    test.use({ viewport: { width, height: 800 }, javaScriptEnabled: false })
    for (const [name, reach] of Object.entries(states)) {
      test(`${name}: axe finds nothing in either theme, and nothing scrolls sideways`, async ({
        page,
        browser,
      }) => {
        await reach(page)
        const copy = await copyWithoutScripts(page, browser)
        await expectAccessibleInBothThemes(copy)
        await copy.context().close()
      })
    }
  })
}
