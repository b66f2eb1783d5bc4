import {
  test as base,
  expect,
  type BrowserContext,
  type ConsoleMessage,
  type Page,
  type WebError,
} from '@playwright/test'
import { startBrowserShop } from './browser-shop.ts'
import type { Auditor } from './lighthouse.ts'
import { openCopies, type ShowCopy } from './show-copy.ts'
import type { RunningShop } from './start-shop.ts'

type TestFixtures = {
  /** Console errors and warnings that this test allows. Any other fails it. */
  allowedOutput: RegExp | null
  noStrayConsole: void
}
type SharedPageOptions = { javaScriptEnabled: boolean }

/**
 * They are all here: a file with worker fixtures of its own would get workers of its own, each with
 * another browser and another shop.
 */
type WorkerFixtures = {
  shop: RunningShop
  showCopy: ShowCopy
  sharedPage: (options: SharedPageOptions) => Promise<Page>
  auditor: Auditor
}

/** Playwright's `test`, served by the built shop: `page.goto('/products')`. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
    async ({}, provide) => {
      const shop = await startBrowserShop()
      await provide(shop)
      await shop.stop()
    },
    { scope: 'worker' },
  ],
  showCopy: [
    async ({ browser }, provide) => {
      const copies = await openCopies(browser)
      await provide(copies.show)
      await copies.close()
    },
    { scope: 'worker' },
  ],
  sharedPage: [
    async ({ browser, shop }, provide) => {
      const pages = new Map<boolean, Page>()
      await provide(async ({ javaScriptEnabled }) => {
        const known = pages.get(javaScriptEnabled)
        if (known) return known
        const options = { baseURL: shop.origin, reducedMotion: 'reduce', javaScriptEnabled } as const
        const page = await (await browser.newContext(options)).newPage()
        pages.set(javaScriptEnabled, page)
        return page
      })
      for (const page of pages.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
  auditor: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
    async ({}, provide) => {
      const { startBrowser } = await import('./lighthouse.ts')
      const auditor = await startBrowser()
      await provide(auditor)
      await auditor.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ shop }, provide) => provide(shop.origin),
  allowedOutput: [null, { option: true }],
  noStrayConsole: [
    async ({ context, allowedOutput }, provide) => {
      const { messages, stop } = collectErrors(context)
      await provide()
      stop()
      expect(messages.filter((line) => !allowedOutput?.test(line))).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Collects errors and warnings from every page. They include hydration errors, and scripts and
 * styles that the CSP blocked.
 */
function collectErrors(context: BrowserContext): { messages: string[]; stop: () => void } {
  const messages: string[] = []
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    // The text of a failed load does not contain its URL.
    messages.push(
      message.text().startsWith('Failed to load resource') ? `${message.text()} ${url}` : message.text(),
    )
  }
  const onWebError = (error: WebError): void => void messages.push(String(error.error()))
  context.on('console', onConsole)
  context.on('weberror', onWebError)
  const stop = (): void => {
    context.off('console', onConsole)
    context.off('weberror', onWebError)
  }
  return { messages, stop }
}

export { expect }
