import type { LotUnits } from '#domain/inventory/lots.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'

/** "Lot A12, expires Jun 30, 2027", with the units when the line has others too. */
export const lotText = ({ lotNumber, expiresOn, quantity }: Omit<LotUnits, 'lotId'>, of: number): string =>
  `Lot ${lotNumber}, expires ${formatDay(expiresOn)}${quantity === of ? '' : `: ${quantity} of ${of}`}`
