import type { DosageForm, Variant } from './catalog.ts'

/**
 * What a label adds to the plain form: "film coated, extended release". Empty when it adds nothing.
 */
export function toFormDetail(dosageForm: DosageForm | null, labelForm: string | null): string {
  const label = (labelForm ?? '').toLowerCase()
  const added = label.slice(dosageForm?.length ?? 0)
  const isPlain = dosageForm !== null && label.startsWith(dosageForm) && !/^[a-z]/.test(added)
  // Canada writes "TABLET (EXTENDED-RELEASE)".
  return isPlain ? added.replace(/^\W+|\)$/g, '') : label
}

/** "tablet, extended release". Empty when the directory states no form. */
export const formLabel = ({ dosageForm, formDetail }: Pick<Variant, 'dosageForm' | 'formDetail'>): string =>
  [dosageForm, formDetail].filter(Boolean).join(', ')
