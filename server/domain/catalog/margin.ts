/**
 * The margin in tenths of a percent of the price, rounded down: 335 is 33.5 %. Null when the price
 * or the cost is unknown or the price is 0. Negative when the cost exceeds the price.
 */
export function marginPermille({
  price,
  acquisitionCost,
}: {
  price: string | null
  acquisitionCost: string | null
}): number | null {
  if (price === null || acquisitionCost === null) return null
  const [cents, cost] = [toCents(price), toCents(acquisitionCost)]
  return cents === 0 ? null : Math.floor(((cents - cost) * 1000) / cents)
}

/** "12.50" to 1250. For decimals that the shop itself formatted. */
const toCents = (decimal: string): number => Number(decimal.replace('.', ''))

/** 335 → "33.5 %". */
export const percentLabel = (permille: number): string => `${(permille / 10).toFixed(1)} %`
