/**
 * NDC, DIN and UPC in every written form (docs/search.md, "Identifiers").
 *
 * A variant is stored under few identifiers: its dashed NDC, the same as the 11 digits of billing, its DIN, its UPC.
 * Everything else a person may type (bare ten digits, a product's code, a barcode) is turned into those on the way in.
 */
export const identifierKinds = ['ndc', 'ndc-11', 'din', 'upc'] as const
export type IdentifierKind = (typeof identifierKinds)[number]
export type Identifier = { value: string; kind: IdentifierKind }

/** What to look up: one identifier, or with `prefix` all that start with it (a product's NDC names all its packages). */
export type IdentifierLookup = Identifier & { prefix: boolean }

export type ParsedIdentifier = {
  /** Looked up in turn; the first step that finds anything is the answer, with all that it finds. */
  steps: IdentifierLookup[][]
  /** Nothing but an identifier is written so: when no step finds anything there is nothing to find. */
  certain: boolean
  /** 12 to 14 digits whose check digit is wrong: a mistyped barcode. */
  invalid: 'check-digit' | null
}

/** A GTIN's last digit: from the right of the others, weights 3, 1, 3, 1 … up to the next ten (GS1). */
function checkDigit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/** Whether 12 digits (or 13, 14: EAN-13, GTIN-14) end in their check digit. */
export const hasValidCheckDigit = (digits: string): boolean =>
  /^\d{12,14}$/.test(digits) && checkDigit(digits.slice(0, -1)) === Number(digits.at(-1))

const segmentsPattern = /^([0-9a-z]{4,6})-([0-9a-z]{3,4})-([0-9a-z]{1,2})$/

/** Whether a text is the dashed code of a package, as it is published. */
export const isNdc = (text: string): boolean => {
  const digits = text.replaceAll('-', '')
  return segmentsPattern.test(text.toLowerCase()) && digits.length >= 10 && digits.length <= 12
}

/** "0378-1089-05" → "00378108905": 5-4-2, each short segment padded by zeros; 6-4-2 when the labeler has a sixth digit. */
function ndc11(labeler: string, product: string, pack: string): string {
  const padded = labeler.padStart(5, '0') + product.padStart(4, '0') + pack.padStart(2, '0')
  return padded.length === 12 && padded.startsWith('0') ? padded.slice(1) : padded
}

/** The UPC within an EAN-13 or GTIN-14 as text of digits; other lengths as they stand. */
function upcCode(text: string): string {
  const digits = text.replace(/\D/g, '')
  return digits.length > 12 && digits.length <= 14 ? digits.replace(/^0{1,2}(?=\d{12}$)/, '') : digits
}

/** Every identifier a variant is stored under in variant_identifiers; several variants may share one. */
export function identifiersOf(variant: {
  ndc: string | null
  din: string | null
  upc: string | null
}): Identifier[] {
  const identifiers: Identifier[] = []
  if (variant.ndc) {
    const ndc = variant.ndc.trim().toLowerCase()
    const segments = segmentsPattern.exec(ndc)
    if (ndc) identifiers.push({ kind: 'ndc', value: ndc })
    if (segments)
      identifiers.push({
        kind: 'ndc-11',
        value: ndc11(segments[1] ?? '', segments[2] ?? '', segments[3] ?? ''),
      })
  }
  const din = variant.din?.replace(/\D/g, '')
  if (din) identifiers.push({ kind: 'din', value: din.padStart(8, '0') })
  const upc = variant.upc && upcCode(variant.upc)
  if (upc) identifiers.push({ kind: 'upc', value: upc })
  return identifiers
}

const one = (kind: IdentifierKind, value: string): IdentifierLookup => ({ kind, value, prefix: false })
const all = (kind: IdentifierKind, value: string): IdentifierLookup => ({ kind, value, prefix: true })

/**
 * Ten characters without dashes fit three formats; 890 of 103,786 packages so written fit another one too, and all are
 * meant. The one that is written just so comes first, then those that are it in eleven digits.
 */
function tenDigits(ten: string): IdentifierLookup[] {
  const formats = [[4, 4, 2] as const, [5, 3, 2] as const, [5, 4, 1] as const]
  const segments = formats.map(([labeler, product]) => [
    ten.slice(0, labeler),
    ten.slice(labeler, labeler + product),
    ten.slice(labeler + product),
  ])
  return [
    ...segments.map((parts) => one('ndc', parts.join('-'))),
    ...segments.map(([labeler = '', product = '', pack = '']) =>
      one('ndc-11', ndc11(labeler, product, pack)),
    ),
  ]
}

/** A barcode: the UPC as published; else the NDC in it ("3" + ten digits + check digit), which is a hint only. */
function barcode(digits: string): ParsedIdentifier {
  const invalid = hasValidCheckDigit(digits) ? null : 'check-digit'
  const steps: IdentifierLookup[][] = []
  if (!invalid) {
    // On a case the indicator digit goes before the same item; the item's own check digit must be found again.
    const body = digits.padStart(14, '0').slice(1, 13)
    const item = body + checkDigit(body)
    steps.push([one('upc', upcCode(item))])
    if (body.startsWith('03')) steps.push(tenDigits(body.slice(2)))
  }
  // The 12 digits of an NDC from 2033 on (91 FR 10749), which for today's codes are "0" and the 11.
  if (digits.length === 12) steps.push([one('ndc-11', digits.startsWith('0') ? digits.slice(1) : digits)])
  return { steps, certain: true, invalid }
}

/** Digits without separators, by their number. */
function bareDigits(digits: string): IdentifierLookup[][] {
  const din = one('din', digits.padStart(8, '0'))
  switch (digits.length) {
    case 8:
      return [
        [din],
        [4, 5].map((labeler) => all('ndc', `${digits.slice(0, labeler)}-${digits.slice(labeler)}-`)),
      ]
    case 9:
      return [[all('ndc-11', digits)]]
    case 10:
      return [tenDigits(digits)]
    case 11:
      return [[one('ndc-11', digits)]]
    case 12:
      return barcode(digits).steps
    default:
      return digits.length < 8 ? [[din]] : []
  }
}

/** Written with separators: a package ("0228-2899-96", "00378-1089-05", "000378-1089-05") or a product ("0378-6070"). */
function segmented(text: string): IdentifierLookup[][] {
  const pack = segmentsPattern.exec(text)
  if (pack) return [[one('ndc', text)], [one('ndc-11', ndc11(pack[1] ?? '', pack[2] ?? '', pack[3] ?? ''))]]
  const product = /^([0-9a-z]{4,6})-([0-9a-z]{3,4})$/.exec(text)
  if (!product) return []
  const padded = ndc11(product[1] ?? '', product[2] ?? '', '').slice(0, -2)
  return [[all('ndc', `${text}-`)], [all('ndc-11', padded)]]
}

const longestWritten = 80
const prefixPattern =
  /^(?:(ndc|din|upc|gtin|ean)(?:[ -]?1[0-4](?=[\s:]))?(?:[ -]?(?:code|no|number))?(?![a-z]))[\s:#.-]*/
/** A two-dimensional code's first field: (01), then the GTIN-14; lot and expiry may follow. */
const gs1Pattern = /^(?:\(01\)|01(?=\d{14}(?:17|10|21|$)))\s*(\d{14})/

/**
 * Reads what a person typed or scanned. Null when it is no identifier.
 * @param only reads it as the value of the field of that name
 */
export function parseIdentifier(text: string, only?: 'ndc' | 'din' | 'upc'): ParsedIdentifier | null {
  const written = text.slice(0, longestWritten + 1).trim()
  if (written.length > longestWritten) return null
  const folded = written
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐-―−⁻﹘﹣*_]/g, '-')
  const scanned = gs1Pattern.exec(folded.replace(/[^\x20-\x7e]/g, ''))?.[1]
  if (scanned && hasValidCheckDigit(scanned)) return restrict(barcode(scanned), only)

  const named = prefixPattern.exec(folded)
  const kind = only ?? named?.[1]
  const body = folded
    .slice(named?.[0].length ?? 0)
    .replace(/[\s.]*-[\s.]*/g, '-')
    .trim()
  // Spaces, dots and slashes part digits only: "5 mg" and "tylenol 3" are no identifiers.
  const parts = body.split(/[\s./-]+/)
  const digits = parts.join('')
  if (!/^[0-9a-z]+$/.test(digits)) return null
  if (/[a-z]/.test(digits)) return restrict(lettered(body, digits), only)

  const certain = kind !== undefined || digits.length >= 8
  const dashes = segmented(parts.join('-'))
  if (digits.length >= 12 && digits.length <= 14 && dashes.length === 0)
    return restrict(barcode(digits), only)
  if (only === 'upc') return { steps: [[one('upc', digits)]], certain, invalid: null }
  // With a strength in mind one types "500"; only five digits or more, or the word DIN, make a DIN.
  if (kind === 'din') {
    if (digits.length > 8) return { steps: [], certain, invalid: null }
    return restrict({ steps: [[one('din', digits.padStart(8, '0'))]], certain, invalid: null }, only)
  }
  if (!certain && digits.length < 5) return null
  const bare = bareDigits(digits)
  // "0236 7998" is a DIN in two halves, "0378-6070" a product's NDC.
  const steps = body.includes('-') || parts.length === 3 ? [...dashes, ...bare] : [...bare, ...dashes]
  return restrict({ steps, certain, invalid: null }, only)
}

/** A few NDCs carry letters; so do names with dashes and digits, so nothing is certain here. */
function lettered(body: string, digits: string): ParsedIdentifier | null {
  if (digits.replace(/\D/g, '').length < 4) return null
  const steps = segmented(body)
  if (steps.length === 0 && digits.length === 10 && body === digits) steps.push(tenDigits(digits))
  if (steps.length === 0 && digits.length === 11 && body === digits) steps.push([one('ndc-11', digits)])
  return steps.length > 0 ? { steps, certain: false, invalid: null } : null
}

/** Leaves what the field of that name may mean: an NDC may be read off a barcode, a UPC field may hold one with an NDC in it. */
function restrict(
  parsed: ParsedIdentifier | null,
  only: 'ndc' | 'din' | 'upc' | undefined,
): ParsedIdentifier | null {
  if (!parsed || !only || only === 'upc') return parsed
  const fits = (lookup: IdentifierLookup): boolean =>
    only === 'din' ? lookup.kind === 'din' : lookup.kind === 'ndc' || lookup.kind === 'ndc-11'
  return { ...parsed, steps: parsed.steps.map((step) => step.filter(fits)).filter((step) => step.length > 0) }
}
