/** What the check digit counts before the number: the issuer of health care identifiers. */
const prefix = '80840'

/**
 * Why a text is not a National Provider Identifier; null when it is one. The last digit is a Luhn
 * check digit over the number after the prefix 80840 (CMS, "Requirements for National Provider
 * Identifier (NPI) and NPI Check Digit"; 45 CFR 162.406). It catches typing errors. It does not
 * prove whose number it is.
 */
export function npiProblem(npi: string): string | null {
  if (!/^[12]\d{9}$/.test(npi)) return 'Enter the 10 digits of the NPI. It starts with 1 or 2.'
  return luhnSum(prefix + npi) % 10 === 0 ? null : 'This NPI has a typing error: its check digit is wrong.'
}

/** The Luhn sum: every second digit from the right is doubled. */
function luhnSum(digits: string): number {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum
}
