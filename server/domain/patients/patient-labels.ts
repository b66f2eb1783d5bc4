/** The two lists of a patient's record. */
export const patientLists = ['medications', 'allergies'] as const
export type PatientList = (typeof patientLists)[number]

/** Pregnant or breastfeeding: the answers that are offered. Null is no answer yet. */
export const yesOrNo = ['yes', 'no', 'prefer_not_to_say'] as const
export type YesOrNo = (typeof yesOrNo)[number]

export const yesOrNoLabels = {
  yes: 'Yes',
  no: 'No',
  prefer_not_to_say: 'Prefer not to say',
} as const satisfies Record<YesOrNo, string>
