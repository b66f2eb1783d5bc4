const currencyFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/**
 * "1234.50" or 123450 cents → "$1,234.50". Unlike shop prices, back-office sums have thousands
 * separators.
 */
export const money = (amount: string | number): string =>
  currencyFormat.format(typeof amount === 'number' ? amount / 100 : Number(amount))

const wholeDollarFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

/** 1234.5 dollars → "$1,235", for the axis of a chart. */
export const wholeMoney = (dollars: number): string => wholeDollarFormat.format(dollars)
