/**
 * NDC, DIN and UPC in every written form (docs/search.md, "Identifiers").
 *
 * A variant is stored under a few codes: its dashed NDC, the same as the 11 billing digits, its DIN
 * and its UPC. Other forms a user may type (ten bare digits, a product code, a barcode) are
 * converted to those when they are parsed.
 */
export const identifierKinds = ['ndc', 'ndc-11', 'din', 'upc'] as const
export type IdentifierKind = (typeof identifierKinds)[number]
export type Identifier = { value: string; kind: IdentifierKind }

/**
 * A code to look up. With `prefix`, every code that starts with it (a product's NDC matches all its
 * packages).
 */
export type IdentifierLookup = Identifier & { prefix: boolean }

export type ParsedIdentifier = {
  /** Lookups to try in order. The first step with any match is the result, with all its matches. */
  steps: IdentifierLookup[][]
  /** True when the text can only be an identifier. Then no match means no result. */
  isCertain: boolean
  /** Set for 12 to 14 digits with a wrong check digit: a mistyped barcode. */
  invalid: 'check-digit' | null
}

/**
 * The GS1 check digit: from the right, digits weighted 3, 1, 3, 1 … and summed; the distance to the
 * next multiple of ten.
 */
function checkDigit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/** Whether 12 digits (or 13, 14: EAN-13, GTIN-14) end in their check digit. */
export const hasValidCheckDigit = (digits: string): boolean =>
  /^\d{12,14}$/.test(digits) && checkDigit(digits.slice(0, -1)) === Number(digits.at(-1))

const segmentsPattern = /^([0-9a-z]{4,6})-([0-9a-z]{3,4})-([0-9a-z]{1,2})$/

/** Whether the text is a published package code with dashes. */
export const isNdc = (text: string): boolean => {
  const digits = text.replaceAll('-', '')
  return segmentsPattern.test(text.toLowerCase()) && digits.length >= 10 && digits.length <= 12
}

/**
 * "0378-1089-05" → "00378108905": 5-4-2 with each short segment zero-padded. 6-4-2 when the labeler
 * has six digits.
 */
function ndc11(labeler: string, product: string, pack: string): string {
  const padded = labeler.padStart(5, '0') + product.padStart(4, '0') + pack.padStart(2, '0')
  return padded.length === 12 && padded.startsWith('0') ? padded.slice(1) : padded
}

/** The segments of ten digits without dashes in each of the three formats that they fit. */
const tenDigitSegments = (ten: string): string[][] =>
  (
    [
      [4, 4],
      [5, 3],
      [5, 4],
    ] as const
  ).map(([labeler, product]) => [
    ten.slice(0, labeler),
    ten.slice(labeler, labeler + product),
    ten.slice(labeler + product),
  ])

/**
 * The eleven billing digits of an NDC: one form for a dashed code and for eleven bare digits, which
 * are always 5-4-2. Ten bare digits fit three formats, so they have three. Empty for another text.
 */
export function listNdc11Forms(ndc: string): string[] {
  const text = ndc.trim()
  const segments = segmentsPattern.exec(text.toLowerCase())
  if (segments) return [ndc11(segments[1] ?? '', segments[2] ?? '', segments[3] ?? '')]
  if (/^\d{11}$/.test(text)) return [text]
  if (!/^\d{10}$/.test(text)) return []
  return tenDigitSegments(text).map(([labeler = '', product = '', pack = '']) =>
    ndc11(labeler, product, pack),
  )
}

/** Whether an NDC is ten bare digits, which three packages may have. */
export const isAmbiguousNdc = (ndc: string): boolean => listNdc11Forms(ndc).length > 1

/** The UPC in an EAN-13 or GTIN-14, digits only. Other lengths are returned unchanged. */
function upcCode(text: string): string {
  const digits = text.replace(/\D/g, '')
  return digits.length > 12 && digits.length <= 14 ? digits.replace(/^0{1,2}(?=\d{12}$)/, '') : digits
}

/**
 * Every identifier a variant is stored under in variant_identifiers. Several variants may share
 * one.
 */
export function listIdentifiers(variant: {
  ndc: string | null
  din: string | null
  upc: string | null
}): Identifier[] {
  const identifiers: Identifier[] = []
  if (variant.ndc) {
    const ndc = variant.ndc.trim().toLowerCase()
    const forms = listNdc11Forms(ndc)
    if (ndc) identifiers.push({ kind: 'ndc', value: ndc })
    // Ten bare digits may be another package's.
    for (const value of isAmbiguousNdc(ndc) ? [] : forms) identifiers.push({ kind: 'ndc-11', value })
  }
  const din = variant.din?.replace(/\D/g, '')
  if (din) identifiers.push({ kind: 'din', value: din.padStart(8, '0') })
  const upc = variant.upc && upcCode(variant.upc)
  if (upc) identifiers.push({ kind: 'upc', value: upc })
  return identifiers
}

const exact = (kind: IdentifierKind, value: string): IdentifierLookup => ({ kind, value, prefix: false })
const startingWith = (kind: IdentifierKind, value: string): IdentifierLookup => ({
  kind,
  value,
  prefix: true,
})

/**
 * Ten digits without dashes fit three formats. Of 103,786 such packages 890 also fit another
 * format, so all are looked up. The exact dashed forms come first, then their 11-digit forms.
 */
function parseTenDigits(ten: string): IdentifierLookup[] {
  return [
    ...tenDigitSegments(ten).map((parts) => exact('ndc', parts.join('-'))),
    ...listNdc11Forms(ten).map((form) => exact('ndc-11', form)),
  ]
}

/**
 * A barcode: the published UPC, else the NDC in it ("3" + ten digits + check digit), which is only
 * a hint.
 */
function parseBarcode(digits: string): ParsedIdentifier {
  const invalid = hasValidCheckDigit(digits) ? null : 'check-digit'
  const steps: IdentifierLookup[][] = []
  if (!invalid) {
    // On a case, an indicator digit precedes the item number, so the item's own check digit is
    // recomputed.
    const body = digits.padStart(14, '0').slice(1, 13)
    const item = body + checkDigit(body)
    steps.push([exact('upc', upcCode(item))])
    if (body.startsWith('03')) steps.push(parseTenDigits(body.slice(2)))
  }
  // The 12-digit NDC format from 2033 on (91 FR 10749). For today's codes it is "0" and the 11
  // digits.
  if (digits.length === 12) steps.push([exact('ndc-11', digits.startsWith('0') ? digits.slice(1) : digits)])
  return { steps, isCertain: true, invalid }
}

/** Digits without separators, by length. */
function parseBareDigits(digits: string): IdentifierLookup[][] {
  const din = exact('din', digits.padStart(8, '0'))
  switch (digits.length) {
    case 8:
      return [
        [din],
        [4, 5].map((labeler) => startingWith('ndc', `${digits.slice(0, labeler)}-${digits.slice(labeler)}-`)),
      ]
    case 9:
      return [[startingWith('ndc-11', digits)]]
    case 10:
      return [parseTenDigits(digits)]
    case 11:
      return [[exact('ndc-11', digits)]]
    case 12:
      return parseBarcode(digits).steps
    default:
      return digits.length < 8 ? [[din]] : []
  }
}

/**
 * With separators: a package ("0228-2899-96", "00378-1089-05", "000378-1089-05") or a product
 * ("0378-6070").
 */
function parseSegments(text: string): IdentifierLookup[][] {
  const pack = segmentsPattern.exec(text)
  if (pack)
    return [[exact('ndc', text)], [exact('ndc-11', ndc11(pack[1] ?? '', pack[2] ?? '', pack[3] ?? ''))]]
  const product = /^([0-9a-z]{4,6})-([0-9a-z]{3,4})$/.exec(text)
  if (!product) return []
  const padded = ndc11(product[1] ?? '', product[2] ?? '', '').slice(0, -2)
  return [[startingWith('ndc', `${text}-`)], [startingWith('ndc-11', padded)]]
}

/** Dashes and what is typed for them. */
const dashes = /[‐-―−⁻﹘﹣*_]/g

const maxLength = 80
/** As much as a search reads. */
const maxTextLength = 200
const prefixPattern =
  /^(?:(ndc|din|upc|gtin|ean)(?:[ -]?1[0-4](?=[\s:]))?(?:[ -]?(?:code|no|number))?(?![a-z]))[\s:#.-]*/
/** The first field of a 2D barcode: (01), then the GTIN-14. Lot and expiration date may follow. */
const gs1Pattern = /^(?:\(01\)|01(?=\d{14}(?:17|10|21|$)))\s*(\d{14})/

/**
 * Parses typed or scanned text. Null when it is not an identifier.
 * @param only parses it as the value of the field of this name
 */
export function parseIdentifier(text: string, only?: 'ndc' | 'din' | 'upc'): ParsedIdentifier | null {
  const trimmed = text.slice(0, maxLength + 1).trim()
  if (trimmed.length > maxLength) return null
  const folded = trimmed.normalize('NFKC').toLowerCase().replace(dashes, '-')
  const scanned = gs1Pattern.exec(folded.replace(/[^\x20-\x7e]/g, ''))?.[1]
  if (scanned && hasValidCheckDigit(scanned)) return filterLookups(parseBarcode(scanned), only)

  const named = prefixPattern.exec(folded)
  const kind = only ?? named?.[1]
  const body = folded
    .slice(named?.[0].length ?? 0)
    .replace(/(?:(?<![\s.])[\s.]+)?-[\s.]*/g, '-')
    .trim()
  // Spaces, dots and slashes only separate digits: "5 mg" and "tylenol 3" are not identifiers.
  const parts = body.split(/[\s./-]+/)
  const digits = parts.join('')
  if (!/^[0-9a-z]+$/.test(digits)) return null
  if (/[a-z]/.test(digits)) return filterLookups(parseLettered(body, digits), only)

  const isCertain = kind !== undefined || digits.length >= 8
  const segments = parseSegments(parts.join('-'))
  if (digits.length >= 12 && digits.length <= 14 && segments.length === 0)
    return filterLookups(parseBarcode(digits), only)
  if (only === 'upc') return { steps: [[exact('upc', digits)]], isCertain, invalid: null }
  // "500" is more likely a strength. Only five digits or more, or the word DIN, make a DIN.
  if (kind === 'din') {
    if (digits.length > 8) return { steps: [], isCertain, invalid: null }
    return filterLookups({ steps: [[exact('din', digits.padStart(8, '0'))]], isCertain, invalid: null }, only)
  }
  if (!isCertain && digits.length < 5) return null
  const bare = parseBareDigits(digits)
  // "0236 7998" is a DIN in two halves; "0378-6070" is a product's NDC.
  const steps = body.includes('-') || parts.length === 3 ? [...segments, ...bare] : [...bare, ...segments]
  return filterLookups({ steps, isCertain, invalid: null }, only)
}

/**
 * A package's NDC, a DIN, ten digits or more, or a number after "NDC", but no strength ("10000000
 * units").
 */
const amongWordsPattern =
  /(?<![\w.,/-])(?:(?:ndc|din|upc|gtin|ean)[\s:#.-]*\d[\d-]*\d|\d{4,6}-\d{3,4}-\d{1,2}|0\d{7}|\d{10,14})(?![\w/%-]|[.,]\d|\s*(?:m?c?g|iu|ui|cfu|units?)\b)/i

/**
 * The identifier in a text of several words, and the other words: "alprazolam 0228-2899-96". Null
 * without one. Split into words, its digits would be taken for strengths.
 */
export function findIdentifierAmongWords(text: string): { identifier: string; rest: string } | null {
  const plain = text.slice(0, maxTextLength).normalize('NFKC').replace(dashes, '-')
  const found = amongWordsPattern.exec(plain)
  if (!found) return null
  const [identifier] = found
  return { identifier, rest: plain.replace(identifier, ' ').trim() }
}

/**
 * A few NDCs contain letters. So do names with dashes and digits, so the result is never certain.
 */
function parseLettered(body: string, digits: string): ParsedIdentifier | null {
  if (digits.replace(/\D/g, '').length < 4) return null
  const steps = parseSegments(body)
  if (steps.length === 0 && digits.length === 10 && body === digits) steps.push(parseTenDigits(digits))
  if (steps.length === 0 && digits.length === 11 && body === digits) steps.push([exact('ndc-11', digits)])
  return steps.length > 0 ? { steps, isCertain: false, invalid: null } : null
}

/**
 * Keeps the lookups that the named field can hold. A barcode may yield an NDC, and a UPC field may
 * hold a barcode with an NDC in it.
 */
function filterLookups(
  parsed: ParsedIdentifier | null,
  only: 'ndc' | 'din' | 'upc' | undefined,
): ParsedIdentifier | null {
  if (!parsed || !only || only === 'upc') return parsed
  const fits = (lookup: IdentifierLookup): boolean =>
    only === 'din' ? lookup.kind === 'din' : lookup.kind === 'ndc' || lookup.kind === 'ndc-11'
  return { ...parsed, steps: parsed.steps.map((step) => step.filter(fits)).filter((step) => step.length > 0) }
}

/** The identifier as the shop displays it: "NDC 0228-2899-96". */
export function identifierLabel({
  kind,
  value,
  ndc,
  din,
  upc,
}: {
  kind: string
  value: string
  ndc: string | null
  din: string | null
  upc: string | null
}): string {
  if (kind === 'din') return `DIN ${din ?? value}`
  if (kind === 'upc') return `UPC ${upc ?? value}`
  return `NDC ${ndc ?? value}`
}
