import { countUnits, signedChange } from '#domain/inventory/inventory-messages.ts'

/** "+1 unit", "−1,200 units". */
export const signedUnits = (change: number): string =>
  `${signedChange(change)} ${Math.abs(change) === 1 ? 'unit' : 'units'}`

export { countUnits as units }
