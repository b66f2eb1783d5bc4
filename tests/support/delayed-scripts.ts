import type { Page } from '@playwright/test'

/** Keeps back the scripts of the pages that follow, as a slow line does; returns what lets them go. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** Opens a page whose scripts are kept back, and waits until all is there that its HTML and its styles bring. */
export async function openWithoutScripts(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(
    () =>
      document.readyState === 'interactive' &&
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
  )
  await page.evaluate(async () => {
    // A layout asks for the fonts.
    document.body.getBoundingClientRect()
    await document.fonts.ready
  })
}

/** Waits until React has taken the page over, and for what comes late. */
export async function scriptsHaveBegun(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
  await page.waitForLoadState('networkidle')
}
