/** "1 unit", "1,200 units". */
export const units = (count: number): string =>
  count === 1 ? '1 unit' : `${count.toLocaleString('en-US')} units`
