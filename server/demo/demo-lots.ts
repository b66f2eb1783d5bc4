import { findLotByNumber } from '#db/inventory/lots.ts'
import { dayMs } from '#domain/days.ts'
import { usableUntil } from '#domain/inventory/lots.ts'
import type { Context } from '../context.ts'
import { adjustStock } from '../inventory/adjust-stock.ts'
import { quarantineLot } from '../inventory/quarantine-lot.ts'
import { orSkip } from './demo-session.ts'

type DemoLot = {
  variantId: string
  lotNumber: string
  units: number
  /** From the first start. */
  expiresInDays: number
  quarantine?: string
}

const lisinopril = '01980000-a099-7715-80ae-90e45369f5dd'
const loratadine = '01980000-b9e7-7b56-8628-266afaaac195'
const metformin = '01980000-5be1-7997-831d-c5445a60f658'

/** Variants of the demo catalog. Their other stock was counted before lots were recorded. */
const lots: readonly DemoLot[] = [
  { variantId: lisinopril, lotNumber: 'AL3902', units: 6, expiresInDays: 45 },
  { variantId: lisinopril, lotNumber: 'AL4417', units: 20, expiresInDays: 430 },
  { variantId: loratadine, lotNumber: '24117B', units: 12, expiresInDays: 25 },
  { variantId: loratadine, lotNumber: '25036A', units: 30, expiresInDays: 380 },
  { variantId: metformin, lotNumber: 'MT7731', units: 24, expiresInDays: 300 },
  {
    variantId: metformin,
    lotNumber: 'MT7702',
    units: 8,
    expiresInDays: 210,
    quarantine: 'A carton arrived wet. Waiting for the supplier’s answer.',
  },
]

/** They arrived before the demo's first order. */
const receivedDaysAgo = 40
/** Receives the demo's lots that are missing, one of them into quarantine. */
export async function createDemoLots(manager: Context): Promise<void> {
  const ctx = { ...manager, now: new Date(manager.now.getTime() - receivedDaysAgo * dayMs) }
  for (const { variantId, lotNumber, units, expiresInDays, quarantine } of lots) {
    const stored = await findLotByNumber(ctx.db, { variantId, lotNumber })
    if (!stored) {
      await orSkip(ctx, lotNumber, () =>
        adjustStock(ctx, {
          variantId,
          quantityChange: units,
          transactionType: 'purchase',
          notes: 'Delivery',
          lotNumber,
          expiryDate: usableUntil(manager.now, expiresInDays),
        }),
      )
    }
    const lot = quarantine === undefined ? null : await findLotByNumber(ctx.db, { variantId, lotNumber })
    // Staff who released it raised its version.
    if (lot?.status === 'available' && lot.version === 1) {
      await orSkip(ctx, lotNumber, () => quarantineLot(ctx, { lotId: lot.id, reason: quarantine ?? '' }))
    }
  }
}
