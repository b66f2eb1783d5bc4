import { axeFindings } from '#tests/support/axe.ts'
import { expect, test as base } from '#tests/support/browser.ts'
import type { Page } from '@playwright/test'
import { adminStates, scriptedAdminStates, servedAdminStates } from '#tests/support/admin-page-states.ts'
import { pageParts } from '#tests/support/page-parts.ts'
import { scriptedStates, servedStates, states } from '#tests/support/page-states.ts'
import { servedPaperStates } from '#tests/support/paper-page-states.ts'
import type { ShowCopy } from '#tests/support/show-copy.ts'

const widths = [1280, 360]

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond, 'scrolls sideways').toBeLessThanOrEqual(0)
}

/** Where the sidebar is a menu, a page with little text is as wide as the screen too. */
async function expectFullWidth(page: Page): Promise<void> {
  await page.setViewportSize({ width: 700, height: 800 })
  const main = await page.getByRole('main', { includeHidden: true }).boundingBox()
  expect(main?.width, 'width of the page').toBe(page.viewportSize()?.width)
}

const setTheme = (page: Page, theme: string): Promise<void> =>
  page.evaluate((value) => {
    document.documentElement.dataset['theme'] = `pharma-${value}`
  }, theme)

async function expectAccessibleInBothThemes(page: Page, width: number): Promise<void> {
  await setTheme(page, 'light')
  expect(await axeFindings(page), `${width} px, light`).toEqual([])
  await expectNoSidewaysScroll(page)
  // The themes differ only in their colors.
  await setTheme(page, 'dark')
  expect(await axeFindings(page, 'colors'), `${width} px, dark`).toEqual([])
}

async function expectAccessibleAtEveryWidth(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    // A sticky header may cover a field at the scroll position of the wider page.
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessibleInBothThemes(page, width)
  }
}

/** The document that a browser without scripts shows, without its own scripts. */
const withoutScripts = (html: string): string =>
  html.replace(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')

/**
 * The tests of a worker share a page: a new one each time would start another process, and compile
 * the shop's scripts again.
 */
const test = base.extend({
  context: async ({ sharedPage, javaScriptEnabled }, provide) => {
    const context = (await sharedPage({ javaScriptEnabled })).context()
    await provide(context)
    await context.clearCookies()
  },
  page: async ({ sharedPage, javaScriptEnabled }, provide) => {
    const page = await sharedPage({ javaScriptEnabled })
    await page.setViewportSize({ width: 1280, height: 800 })
    await provide(page)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.unrouteAll()
  },
})

test.use({
  allowedOutput: /status of (404|409|422)/,
})

const result = 'axe finds nothing at either width in either theme, and nothing scrolls sideways'

async function expectAccessible(page: Page): Promise<void> {
  await expectAccessibleAtEveryWidth(page)
  // A screen of 1280 px at 400 % (WCAG 1.4.10).
  await page.setViewportSize({ width: 320, height: 256 })
  await expectNoSidewaysScroll(page)
  await expectFullWidth(page)
}

/** The headers that axe has checked. */
const checkedHeaders = new Set<string>()

/**
 * Checks the page without scripts. Skips it when it has the elements that axe has just checked and
 * a header that axe has checked before: half of the pages would be checked twice.
 */
async function expectAccessibleWithoutScripts(page: Page, showCopy: ShowCopy): Promise<void> {
  const served = withoutScripts(await (await page.request.get(page.url())).text())
  const parts = await pageParts(page, served)
  checkedHeaders.add(parts.now.header)
  if (parts.withoutScripts.rest === parts.now.rest && checkedHeaders.has(parts.withoutScripts.header)) return
  await expectAccessibleAtEveryWidth(await showCopy(page.url(), served))
  checkedHeaders.add(parts.withoutScripts.header)
}

for (const [name, reach] of Object.entries({
  ...servedStates,
  ...servedAdminStates,
  ...servedPaperStates,
})) {
  test(`${name}, with and without scripts: ${result}`, async ({ page, showCopy }) => {
    await reach(page)
    await expectAccessible(page)
    await expectAccessibleWithoutScripts(page, showCopy)
  })
}

for (const [name, reach] of Object.entries({
  ...states,
  ...adminStates,
  ...scriptedStates,
  ...scriptedAdminStates,
})) {
  test(`${name}: ${result}`, async ({ page }) => {
    await reach(page)
    await expectAccessible(page)
  })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  for (const [name, reach] of Object.entries({ ...states, ...adminStates })) {
    test(`${name}: ${result}`, async ({ page, showCopy }) => {
      await reach(page)
      const openPopover = await page.evaluate(() => document.querySelector(':popover-open')?.id ?? null)
      // axe is a script, so it can't run in the page itself.
      const copy = await showCopy(page.url(), withoutScripts(await page.content()))
      if (openPopover)
        await copy.locator(`#${openPopover}`).evaluate((popover: HTMLElement) => popover.showPopover())
      await expectAccessibleAtEveryWidth(copy)
    })
  }
})
