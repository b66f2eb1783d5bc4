import { axeFindings } from '#tests/support/axe.ts'
import { expect, test as base } from '#tests/support/browser.ts'
import type { BrowserContext, Page } from '@playwright/test'
import { scriptedStates, states } from '#tests/support/page-states.ts'

const widths = [1280, 360]

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

const test = base.extend<object, { plainContext: BrowserContext }>({
  /** Shows copies of pages, with the styles for a browser without scripts. */
  plainContext: [
    async ({ browser }, provide) => {
      // Playwright applies the test's options, which turn scripts off.
      const context = await browser.newContext({ reducedMotion: 'reduce', javaScriptEnabled: true })
      const styles = new Map<string, string>()
      await context.route('**/*.css', async (route) => {
        const url = route.request().url()
        const body =
          styles.get(url) ??
          (await (await route.fetch()).text()).replaceAll('(scripting:none)', '(min-width:0)')
        styles.set(url, body)
        await route.fulfill({ body, contentType: 'text/css' })
      })
      await provide(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
})

/**
 * Opens a copy of the page where axe, itself a script, can run: the document that a browser without
 * scripts has reached, without its own scripts.
 */
async function copyWithoutScripts(page: Page, context: BrowserContext): Promise<Page> {
  const html = (await page.content()).replace(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')
  const openPopover = await page.evaluate(() => document.querySelector(':popover-open')?.id ?? null)
  const copy = await context.newPage()
  await copy.route(page.url(), (route) => route.fulfill({ body: html, contentType: 'text/html' }))
  await copy.goto(page.url())
  if (openPopover)
    await copy.locator(`#${openPopover}`).evaluate((popover: HTMLElement) => popover.showPopover())
  return copy
}

test.use({
  allowedOutput: /status of (404|409|422)/,
  reducedMotion: 'reduce',
  viewport: { width: 1280, height: 800 },
})

for (const [name, reach] of Object.entries({ ...states, ...scriptedStates })) {
  test(`${name}: axe finds nothing at either width in either theme, and nothing scrolls sideways`, async ({
    page,
  }) => {
    await reach(page)
    await expectAccessibleAtEveryWidth(page)
    // A screen of 1280 px at 400 % (WCAG 1.4.10).
    await page.setViewportSize({ width: 320, height: 256 })
    await expectNoSidewaysScroll(page)
  })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  for (const [name, reach] of Object.entries(states)) {
    test(`${name}: axe finds nothing at either width in either theme, and nothing scrolls sideways`, async ({
      page,
      plainContext,
    }) => {
      await reach(page)
      const copy = await copyWithoutScripts(page, plainContext)
      await expectAccessibleAtEveryWidth(copy)
      await copy.close()
    })
  }
})
