const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** 1234.5 → "$1,234.50": sums are longer than prices. */
export const money = (dollars: number): string => format.format(dollars)

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** The same beside a chart, where cents say nothing. */
export const wholeMoney = (dollars: number): string => whole.format(dollars)
