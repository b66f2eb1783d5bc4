import type { Browser, Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shows HTML at a URL of the shop, with the styles for a browser without scripts. */
export type ShowCopy = (url: string, html: string) => Promise<Page>

/**
 * Opens the page that shows copies. It is always the same one, because each new page would compile
 * axe again.
 */
export async function openCopies(browser: Browser): Promise<{ show: ShowCopy; close: () => Promise<void> }> {
  // Playwright applies the test's options, which turn scripts off.
  const context = await browser.newContext({ reducedMotion: 'reduce', javaScriptEnabled: true })
  const page = await context.newPage()
  let shown = { url: '', html: '' }
  await page.route('**', async (route) => {
    const url = route.request().url()
    const { pathname } = new URL(url)
    if (url === shown.url) await route.fulfill({ body: shown.html, contentType: 'text/html' })
    else if (!pathname.endsWith('.css')) await route.continue()
    else {
      const styles = readFileSync(join('build/client', pathname), 'utf8')
      const body = styles.replaceAll('(scripting:none)', '(min-width:0)')
      await route.fulfill({ body, contentType: 'text/css' })
    }
  })
  const show: ShowCopy = async (url, html) => {
    shown = { url, html }
    // Otherwise a URL that differs from the last one only in its fragment would not load.
    await page.goto('about:blank')
    await page.goto(url)
    return page
  }
  return { show, close: () => context.close() }
}
