import type { Page } from '@playwright/test'

/**
 * Holds back the scripts of later pages, like a slow network. Returns a function that releases
 * them.
 */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** Opens a page whose scripts are held back. Waits for its HTML, styles and fonts. */
export async function openWithoutScripts(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(
    () =>
      document.readyState === 'interactive' &&
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
  )
  await page.evaluate(async () => {
    // Layout triggers the font loads.
    document.body.getBoundingClientRect()
    await document.fonts.ready
  })
}

type Root = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } }

/** Waits until React has hydrated the page, which then has its shortcuts. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const keyOf = (owner: object, prefix: string) => Object.keys(owner).find((key) => key.startsWith(prefix))
    const root = keyOf(document, '__reactContainer')
    const main = document.querySelector('main')
    // The elements are known while React still works on them, the root when it is done.
    return (
      root !== undefined &&
      !(document as never as Record<string, Root>)[root]?.stateNode.current.memoizedState.isDehydrated &&
      main !== null &&
      keyOf(main, '__reactFiber') !== undefined
    )
  })
}

/** Waits until React has hydrated the page and the network is idle. */
export async function scriptsHaveStarted(page: Page): Promise<void> {
  await waitForHydration(page)
  await page.waitForLoadState('networkidle')
}
