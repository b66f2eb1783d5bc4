const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** "1234.50" or 123450 cents → "$1,234.50": the desk's sums are longer than the shop's prices, and are read at a glance. */
export const money = (amount: string | number): string =>
  format.format(typeof amount === 'number' ? amount / 100 : Number(amount))

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** 1234.5 dollars → "$1,235": beside a chart, where cents say nothing. */
export const wholeMoney = (dollars: number): string => whole.format(dollars)
