import { releasesOf } from '../catalog/releases.ts'
import { bareStrength, isStrength } from './listed-strength.ts'

/**
 * Which products FDA rates as therapeutically equivalent (the Orange Book). A missing row, a
 * missing code and a text that cannot be read prove nothing, so they rate nothing.
 */

/** What a variant's rating depends on. The texts are the directory's own. */
export type RatedVariant = {
  /** Null outside the NDC directory. Canada has no such list. */
  applicationNumber: string | null
  labelStrength: string | null
  labelForm: string | null
}

/** A row of the list: one strength of an application. */
export type ListedProduct = {
  applicationNumber: string
  activeIngredient: string
  /** "TABLET;ORAL". */
  formRoute: string
  strength: string | null
  marketingStatus: string
  teCode: string | null
}

/** Products with the same group are rated as equivalent. */
export type Rating = {
  /** Active ingredient with its salt, form, route, strength and code. */
  group: string
  /** "AB", "AB1". */
  code: string
  /** As the list names it, in lower case: "tablet, extended release". */
  form: string
}

const solidForm = /\b(tablet|capsule|cream|ointment|gel|lotion|suppository)\b/

const releaseText = (form: string): string => releasesOf(form).join()

/** Whether two texts of a form can be the same: a capsule is no tablet, nor is a 12-hour tablet. */
export function isForm(listed: string, label: string): boolean {
  const kind = solidForm.exec(listed.toLowerCase())?.[1]
  if (kind !== solidForm.exec(label.toLowerCase())?.[1]) return false
  // A powder is "for suspension" in one list and a "suspension" in the other.
  return (kind !== 'tablet' && kind !== 'capsule') || releaseText(listed) === releaseText(label)
}

/** Whether two texts of a form release alike: "suspension, extended release" is no "suspension". */
export function isSameRelease(first: string, second: string): boolean {
  const [a, b] = [first, second].map((form) =>
    releasesOf(form)
      .filter((word) => word !== 'for suspension')
      .join(),
  )
  return a === b
}

const formOf = ({ formRoute }: ListedProduct): string => formRoute.split(';', 1)[0]?.trim() ?? ''

const formRouteOf = ({ formRoute }: ListedProduct): string =>
  formRoute
    .toUpperCase()
    .split(';')
    .map((part) => part.trim())
    .join(';')

/**
 * The rating of a variant: of the one row of its application with its form and strength. Null
 * without such a row, without an A-code, and when several rows fit and differ.
 * @param rows all rows of its application
 */
export function rateVariant(variant: RatedVariant, rows: readonly ListedProduct[]): Rating | null {
  const { applicationNumber, labelStrength, labelForm } = variant
  if (applicationNumber === null || labelStrength === null || labelForm === null) return null
  const own = rows.filter(
    (row) =>
      row.applicationNumber === applicationNumber &&
      // FDA rates what is on the market.
      row.marketingStatus === 'Prescription' &&
      row.strength !== null &&
      // First the cheaper check, which most rows fail.
      isStrength(row.strength, labelStrength) &&
      isForm(formOf(row), labelForm),
  )
  const ratings = own.map((row) =>
    row.teCode?.startsWith('A')
      ? {
          group: [row.activeIngredient, formRouteOf(row), bareStrength(row.strength ?? ''), row.teCode].join(
            '|',
          ),
          code: row.teCode,
          form: formOf(row).toLowerCase(),
        }
      : null,
  )
  const [first = null] = ratings
  return ratings.every((rating) => rating?.group === first?.group) ? first : null
}
