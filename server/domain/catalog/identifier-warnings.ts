import { isNdc, upcCheckDigitIsValid } from './identifiers.ts'

/**
 * What is odd about an identifier that somebody types, or null. A package may carry what no rule expects, so it is a warning: the desk
 * stores what stands on the package (docs/decisions/0019-back-office.md).
 */
export function identifierWarning(kind: 'upc' | 'ndc' | 'din', written: string): string | null {
  const text = written.trim()
  if (text === '') return null
  if (kind === 'upc') {
    if (!/^\d{12}$/.test(text)) return 'A UPC has 12 digits. Please compare it with the package.'
    return upcCheckDigitIsValid(text)
      ? null
      : 'Its last digit does not check the others. Please compare it with the package.'
  }
  if (kind === 'ndc') {
    return isNdc(text)
      ? null
      : 'An NDC is the dashed code of a package, like 0228-2899-96. Please compare it with the package.'
  }
  return /^\d{8}$/.test(text) ? null : 'A DIN has 8 digits. Please compare it with the package.'
}
