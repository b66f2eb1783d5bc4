import type { Page, Route } from '@playwright/test'

/** Lets the server do the first call to this address, and loses its response. */
export async function loseResponse(page: Page, url: string): Promise<void> {
  const lose = async (route: Route): Promise<void> => {
    await route.fetch()
    await route.abort()
  }
  await page.route(url, lose, { times: 1 })
}
