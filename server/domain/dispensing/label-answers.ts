/** The answers to the offer of counseling, which goes with every new item. */
export const counselingAnswers = {
  accepted: 'Accepted, not provided yet',
  declined: 'Declined',
  done: 'Provided',
} as const
export type CounselingAnswer = keyof typeof counselingAnswers
export const counselingAnswerIds = Object.keys(counselingAnswers) as CounselingAnswer[]

/**
 * Whether a Medication Guide goes with a fill. The list's flags are word matches and can be wrong.
 */
export const guideAnswers = {
  enclosed: 'Enclosed',
  'not-needed': 'None for this medicine',
} as const
export type GuideAnswer = keyof typeof guideAnswers
export const guideAnswerIds = Object.keys(guideAnswers) as GuideAnswer[]
