import { test as base, expect, type BrowserContext } from '@playwright/test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Auditor } from './lighthouse.ts'
import { openCopies, type ShowCopy } from './show-copy.ts'
import { startShop, type RunningShop } from './start-shop.ts'
import { makeTestFolder } from './test-folder.ts'

type TestFixtures = {
  /** Console errors and warnings that this test allows. Any other fails it. */
  allowedOutput: RegExp | null
  noStrayConsole: void
}
/**
 * They are all here: a file with worker fixtures of its own would get workers of its own, each with
 * another browser and another shop.
 */
type WorkerFixtures = {
  shop: RunningShop
  showCopy: ShowCopy
  auditor: Auditor
}

/** Playwright's `test`, served by the built shop: `page.goto('/products')`. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
    async ({}, provide) => {
      const folder = makeTestFolder('browser')
      const shop = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`)
      await provide(shop)
      await shop.stop()
      rmSync(folder, { recursive: true, force: true })
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
      const messages = collectErrors(context)
      await provide()
      expect(messages.filter((line) => !allowedOutput?.test(line))).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Collects errors and warnings from every page. They include hydration errors, and scripts and
 * styles that the CSP blocked.
 */
function collectErrors(context: BrowserContext): string[] {
  const messages: string[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    // The text of a failed load does not contain its URL.
    messages.push(
      message.text().startsWith('Failed to load resource') ? `${message.text()} ${url}` : message.text(),
    )
  })
  context.on('weberror', (error) => messages.push(String(error.error())))
  return messages
}

export { expect }
