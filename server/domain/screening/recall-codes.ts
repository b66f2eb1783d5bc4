import { listIdentifiers, listNdc11Forms } from '../catalog/identifiers.ts'

/** The eleven digits of a package's NDC; null for another text, and where several are possible. */
export function toPackageDigits(ndc: string): string | null {
  const [form, ...others] = listNdc11Forms(ndc)
  return others.length === 0 ? (form ?? null) : null
}

/** The first nine of the eleven digits: a product's NDC, or that of a package's product. */
export const toProductDigits = (ndc: string): string | null =>
  toPackageDigits(`${ndc.split('-').slice(0, 2).join('-')}-00`)?.slice(0, -2) ?? null

/**
 * What a recall covers: the packages that the report names, and all packages of a product of which
 * it names none. "MA 01801-1042" is a postal code that only looks like a product.
 */
export function listRecalledCodes({
  packages,
  products,
  text,
}: {
  packages: readonly string[]
  products: readonly string[]
  text: string
}): string[] {
  const codes = new Set(packages.flatMap((ndc) => toPackageDigits(ndc) ?? []))
  const named = new Set([...codes].map((code) => code.slice(0, -2)))
  for (const product of products) {
    const digits = toProductDigits(product)
    if (digits !== null && !named.has(digits) && !isPostalCode(product, text)) codes.add(digits)
  }
  return [...codes]
}

const isPostalCode = (code: string, text: string): boolean =>
  /^\d{5}-\d{4}$/.test(code) && new RegExp(`\\b[A-Z]{2}\\.?,? +${code}`).test(text)

/** What lots are compared by: upper case, letters and digits only. */
export const toLotKey = (lot: string): string =>
  /^[A-Z\d]+$/.test(lot)
    ? lot
    : lot
        .normalize('NFKC')
        .toUpperCase()
        .replace(/[^\p{L}\p{N}]+/gu, '')

/** How a recall that staff recorded names a package of the catalog, which may have no NDC. */
export const variantCode = (variantId: string): string => `variant:${variantId}`

/** The variant that a code names; null for an NDC. */
export const toVariantId = (code: string): string | null => /^variant:(.+)$/.exec(code)?.[1] ?? null

/** The codes on a package of the catalog. */
export type PackageCodes = { ndc: string | null; din: string | null; upc: string | null }

/** A package of the catalog. `variantId` is null before it is saved. */
export type CodedPackage = PackageCodes & { variantId: string | null }

/** The codes that recalls may name a package by. */
export const listCodes = ({ ndc, ...shopPackage }: CodedPackage): string[] => [
  ...listShopCodes(shopPackage),
  ...listNdcCodes(ndc),
]

/** How recalls that staff recorded name a package besides its NDC. */
export const listShopCodes = ({ variantId, din, upc }: Omit<CodedPackage, 'ndc'>): string[] => [
  ...(variantId === null ? [] : [variantCode(variantId)]),
  ...listItemCodes({ din, upc }),
]

/** "din:02237998", "upc:300450449108": the kind and the value of an identifier of the catalog. */
const listItemCodes = ({ din, upc }: Pick<PackageCodes, 'din' | 'upc'>): string[] =>
  listIdentifiers({ ndc: null, din, upc }).map(({ kind, value }) => `${kind}:${value}`)

/** The DIN or UPC that a code names; null for another code. */
export const toItemValue = (code: string): string | null => /^(?:din|upc):(.+)$/.exec(code)?.[1] ?? null

/**
 * The same of its NDC: its own eleven digits, and its product's nine. An NDC without dashes may be
 * any of several packages, and a recall of one of them counts.
 */
export const listNdcCodes = (ndc: string | null): string[] =>
  ndc === null ? [] : listNdc11Forms(ndc).flatMap((form) => [form, form.slice(0, -2)])
