/**
 * A typed search as a tracking number: in capitals, without spaces. Null when it can't be one. A
 * carrier's numbers have digits, so names are not looked up.
 */
export function toTrackingNumber(typed: string): string | null {
  const number = typed.replaceAll(/\s/g, '').toUpperCase()
  return /^(?=.*\d)[\dA-Z-]{6,40}$/.test(number) ? number : null
}
