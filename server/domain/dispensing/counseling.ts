/** The answers to the offer of counseling, which goes with every new item. */
export const counselingAnswers = {
  accepted: 'Accepted, not done yet',
  declined: 'Declined',
  done: 'Done',
} as const
export type CounselingAnswer = keyof typeof counselingAnswers
export const counselingAnswerIds = Object.keys(counselingAnswers) as CounselingAnswer[]
