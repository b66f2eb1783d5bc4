/**
 * Money is integer US cents internally and a decimal string with two places at the borders, never a
 * float.
 */

const decimalPattern = /^\d{1,9}(\.\d{1,2})?$/

/** "12.5" → 1250. Null unless it is a dollar amount with at most two decimals. */
export function parseCents(text: string): number | null {
  if (!decimalPattern.test(text)) return null
  const [dollars = '0', cents = ''] = text.split('.')
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** 1250 → "12.50". */
export function decimalFromCents(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * "1234.50" or 123450 cents → "$1,234.50", as every page shows a price (specification, section 9).
 */
export function dollars(amount: string | number): string {
  const [whole = '', cents = ''] = (typeof amount === 'number' ? decimalFromCents(amount) : amount).split('.')
  return `$${Number(whole).toLocaleString('en-US')}.${cents}`
}
