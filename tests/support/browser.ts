import { test as base, expect, type BrowserContext } from '@playwright/test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startShop, type RunningShop } from './start-shop.ts'
import { makeTestFolder } from './test-folder.ts'

type TestParts = {
  /** What the browser may say on its console in this test; anything else fails it. */
  allowedOutput: RegExp | null
  quiet: void
}
type WorkerParts = { shop: RunningShop }

/** `test` of Playwright with the built shop behind it: `page.goto('/products')`. */
export const test = base.extend<TestParts, WorkerParts>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads here which other parts this one needs.
    async ({}, provide) => {
      const folder = makeTestFolder('browser')
      const shop = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`)
      await provide(shop)
      await shop.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ shop }, provide) => provide(shop.origin),
  allowedOutput: [null, { option: true }],
  quiet: [
    async ({ context, allowedOutput }, provide) => {
      const said = listen(context)
      await provide()
      expect(said.filter((line) => !allowedOutput?.test(line))).toEqual([])
    },
    { auto: true },
  ],
})

/** Errors and warnings of every page, hydration's among them, and scripts or styles that the policy refused. */
function listen(context: BrowserContext): string[] {
  const said: string[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    // Of what could not be loaded the text does not say which it was.
    said.push(
      message.text().startsWith('Failed to load resource') ? `${message.text()} ${url}` : message.text(),
    )
  })
  context.on('weberror', (error) => said.push(String(error.error())))
  return said
}

export { expect }
