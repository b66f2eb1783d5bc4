import { expect, type Page } from '@playwright/test'
import { firstLink } from './admin-page-states.ts'
import { signInNewCustomer, transcribedItem } from './customer.ts'
import type { States } from './page-states.ts'
import { signIn } from './signing-in.ts'

/** The path of a page to print for a cleared line of the demo. */
async function sheetOfLine(page: Page, sheet: 'labels' | 'leaflet'): Promise<string> {
  const queue = '/admin/prescriptions?filter=all'
  const html = await (await page.request.get(queue)).text()
  for (const [, id] of html.matchAll(/filter=all&amp;id=([\w-]+)"/g)) {
    const shown = await (await page.request.get(`${queue}&id=${id}`)).text()
    const path = new RegExp(`href="(/admin/orders/[\\w-]+/${sheet}/[\\w-]+)"`).exec(shown)?.[1]
    if (path !== undefined) return path
  }
  throw new Error('The demo has no cleared line.')
}

/** The back office's pages to print, which the page's address alone shows, without scripts too. */
export const servedPaperStates: States = {
  'back office: packing slip': async (page) => {
    await signIn(page, 'admin')
    await page.goto(`${await firstLink(page, '/admin/orders')}/packing-slip`)
  },
  'back office: shipping label': async (page) => {
    await signIn(page, 'admin')
    await page.goto(`${await firstLink(page, '/admin/orders')}/label`)
  },
  'back office: label of a medicine': async (page) => {
    await signIn(page, 'pharmacist')
    await page.goto(await sheetOfLine(page, 'labels'))
  },
  'back office: leaflet of a medicine': async (page) => {
    await signIn(page, 'pharmacist')
    await page.goto(await sheetOfLine(page, 'leaflet'))
  },
  'back office: request for a new prescription': async (page) => {
    await signInNewCustomer(page)
    const itemId = await transcribedItem(page)
    await signIn(page, 'pharmacist')
    await page.goto(`/admin/prescriptions/items/${itemId}/request`)
    await expect(page.getByText('Dr. Priya Natarajan').first()).toBeVisible()
  },
  'back office: transfer record': async (page) => {
    await signInNewCustomer(page)
    const itemId = await transcribedItem(page, { isTransferred: true })
    await signIn(page, 'pharmacist')
    await page.goto(`/admin/prescriptions/items/${itemId}/transfer`)
    await expect(page.getByText('Example Pharmacy')).toBeVisible()
  },
}
