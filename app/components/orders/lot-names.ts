/** "lot A", "lots A, B". */
export const lotNames = (lots: readonly string[]): string =>
  `${lots.length === 1 ? 'lot' : 'lots'} ${lots.join(', ')}`
