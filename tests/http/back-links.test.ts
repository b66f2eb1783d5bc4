import { pages } from '#app/routes/admin/frame/pages.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addItem, markCleared } from '#tests/support/dispensing.ts'
import { placeRxOrder } from '#tests/support/orders.ts'
import { mainOf } from '#tests/support/page-text.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const backLink = /<a [^>]*data-back=""[^>]*href="([^"]*)"/g

eachShop((openShop) => {
  test('a page of the sidebar has no back link; one below it has one, before everything else', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const customer = await makeUser(shop.db)
    const { order, prescription, variantId } = await placeRxOrder(shop.db, customer)
    await markCleared(shop.db, order.id)
    const item = await addItem(shop.db, { userId: customer, prescriptionId: prescription.id, variantId })
    const line = order.items[0]?.id ?? ''
    const staff = shop.visit()
    const roles = ['admin', 'pharmacist'] as const
    await signInAs(staff, shop.db, await makeUser(shop.db, { roles: [...roles] }))
    const backLinksOf = async (path: string) => {
      const response = await staff.get(path)
      expect(response.status, path).toBe(200)
      const main = mainOf(await response.text())
      const targets = [...main.matchAll(backLink)].map(([, href]) => href)
      const firstPart = /<(?:h1|h2|p|nav|a|button|form|table)\b[\s\S]*?>\s*(<[^>]*>)?/.exec(main)?.[0] ?? ''
      return { targets, isFirst: firstPart.includes('data-back') }
    }
    for (const { path } of pages) {
      expect(await backLinksOf(path), path).toEqual({ targets: [], isFirst: false })
    }
    const admin = adminPaths
    const parents: Record<string, string> = {
      [admin.lots()]: admin.inventory,
      [admin.imports]: admin.variants,
      [admin.order(order.id)]: admin.orders,
      [admin.orderLots(order.id)]: admin.order(order.id),
      [admin.packingSlip(order.id)]: admin.order(order.id),
      [admin.shippingLabel(order.id)]: admin.order(order.id),
      [admin.label(order.id, line)]: admin.order(order.id),
      [admin.leaflet(order.id, line)]: admin.label(order.id, line),
      [admin.user(customer)]: admin.settings,
      [admin.shopSettings]: admin.settings,
      [admin.prescriptionsWith({ id: order.id })]: admin.prescriptions,
      [admin.thread(prescription.id)]: admin.messages,
      [admin.refillRequest(item)]: admin.prescriptionsWith({ id: prescription.id }),
      [admin.ingredientNames]: admin.screeningLists,
      [admin.rowReports]: admin.screeningLists,
      [admin.needRows()]: admin.screeningLists,
      [admin.recalls]: admin.screeningLists,
      [admin.careImports]: admin.screeningLists,
      [admin.recall('new')]: admin.recalls,
    }
    for (const [path, parent] of Object.entries(parents)) {
      expect(await backLinksOf(path), path).toEqual({ targets: [parent], isFirst: true })
    }
  })
})
