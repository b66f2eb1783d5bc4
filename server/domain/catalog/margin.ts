/**
 * What a variant earns of its price, in tenths of a percent, rounded down: 335 is 33.5 %. Null when its price or what it costs is not known
 * or the price is 0; below 0 when it costs more than it brings.
 */
export function marginPermille({
  price,
  acquisitionCost,
}: {
  price: string | null
  acquisitionCost: string | null
}): number | null {
  if (price === null || acquisitionCost === null) return null
  const [cents, cost] = [centsOf(price), centsOf(acquisitionCost)]
  return cents === 0 ? null : Math.floor(((cents - cost) * 1000) / cents)
}

/** "12.50" as the shop's own replies write it. */
const centsOf = (decimal: string): number => Number(decimal.replace('.', ''))

/** 335 → "33.5 %". */
export const percentLabel = (permille: number): string => `${(permille / 10).toFixed(1)} %`
