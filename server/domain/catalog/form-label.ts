import { variantLabel, type DosageForm, type Variant } from './catalog.ts'

/**
 * What a label adds to the plain form: "film coated, extended release". A label that names another
 * form is quoted: a cream, labeled “lotion”. Empty when it adds nothing.
 */
export function toFormDetail(dosageForm: DosageForm | null, labelForm: string | null): string {
  const label = (labelForm ?? '').toLowerCase()
  const added = label.slice(dosageForm?.length ?? 0)
  if (dosageForm === null || label === '') return label
  const isPlain = label.startsWith(dosageForm) && !/^[a-z]/.test(added)
  // Canada writes "TABLET (EXTENDED-RELEASE)".
  return isPlain ? added.replace(/^\W+|\)$/g, '') : `labeled “${label}”`
}

/** "tablet, extended release". Empty when the directory states no form. */
export const formLabel = ({ dosageForm, formDetail }: Pick<Variant, 'dosageForm' | 'formDetail'>): string =>
  [dosageForm, formDetail].filter(Boolean).join(', ')

type LabeledRow = Omit<Parameters<typeof variantLabel>[0], 'formDetail'> & {
  dosageForm: DosageForm | null
  labelForm: string | null
}

/** `variantLabel` of a stored variant. */
export const labelOfRow = (row: LabeledRow): string =>
  variantLabel({ ...row, formDetail: toFormDetail(row.dosageForm, row.labelForm) })
