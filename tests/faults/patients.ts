import { createPaymentIntent, placeOrder, type Buyer } from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { dispense } from './pharmacists.ts'
import {
  openRefills,
  openShopContext,
  prescribe,
  readUserId,
  type Decision,
  type TestMedicine,
} from './prescribed.ts'
import type { Site } from './site.ts'

/** What pharmacists decide about the medicines, in turn. */
export const decisions: readonly Decision[] = [
  'clear',
  'refuse',
  'clear',
  'clear',
  'refuse',
  'clear',
  'refuse',
  'ask',
]
/** How many of a patient's medicines were dispensed before, so that the next fill is a refill. */
const refills = 4

/**
 * Gives customers a prescription of each medicine, for two fills. Some first fills were dispensed
 * two months ago.
 */
export async function fillPrescriptions(
  site: Site,
  buyers: readonly Buyer[],
  how: {
    medicines: readonly TestMedicine[]
    pharmacist: PlainClient
    confirm: (clientSecret: string) => boolean
  },
): Promise<void> {
  const { medicines, pharmacist, confirm } = how
  const first = medicines.filter(({ decision }) => decision === 'clear').slice(0, refills)
  const shop = await openShopContext(site.url)
  try {
    for (const buyer of buyers) {
      await prescribe(shop, { userId: await readUserId(buyer), medicines, refills: 1 })
      const items = first.map(({ variantIds }) => ({ productVariantId: variantIds[0], quantity: 1 }))
      const intent = await createPaymentIntent(buyer, items)
      if (!confirm(intent.clientSecret)) throw new Error('The first order was not paid.')
      await dispense(pharmacist, (await placeOrder(buyer, intent)).id)
    }
    await openRefills(shop)
  } finally {
    // Its files are on the disk whose power is cut.
    await shop.close()
  }
}
