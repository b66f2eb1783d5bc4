import { isNdc, hasValidCheckDigit } from './identifiers.ts'

/**
 * A warning about an unusual identifier, or null. It is only a warning: packages carry codes that
 * break the rules, and the back office stores what is printed (docs/decisions/0019-back-office.md).
 */
export function identifierWarning(kind: 'upc' | 'ndc' | 'din', value: string): string | null {
  const text = value.trim()
  if (text === '') return null
  if (kind === 'upc') {
    if (!/^\d{12}$/.test(text)) return 'A UPC has 12 digits. Check it against the package.'
    return hasValidCheckDigit(text)
      ? null
      : 'The last digit (check digit) doesn’t match. Check it against the package.'
  }
  if (kind === 'ndc') {
    return isNdc(text)
      ? null
      : 'An NDC is a package code with dashes, like 0228-2899-96. Check it against the package.'
  }
  return /^\d{8}$/.test(text) ? null : 'A DIN has 8 digits. Check it against the package.'
}

/** The warning that another variant has the identifier too. */
export const describeSharedIdentifier = (kind: 'upc' | 'ndc' | 'din', variant: string): string =>
  `${variant} has this ${kind.toUpperCase()} too. Check both packages.`
