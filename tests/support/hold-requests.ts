import type { Page, Route } from '@playwright/test'

/**
 * Holds back a page's requests, like a slow network. Returns a function that releases them.
 * @param answer what then happens to each; sent to the server by default
 */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  answer = (route: Route): Promise<void> => route.continue(),
): Promise<() => void> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await released
    await answer(route)
  })
  return release
}
