/** The parts of a case. A narrow screen shows one at a time. */
export const caseParts = {
  file: { label: 'File', key: 'f' },
  transcription: { label: 'Transcription', key: 't' },
  patient: { label: 'Patient', key: 'p' },
  lines: { label: 'Lines', key: 'l' },
} as const

export type CasePart = keyof typeof caseParts

export const casePartNames = Object.keys(caseParts) as CasePart[]

/** The id of a part's section. */
export const sectionOf = (part: CasePart): string => `case-${part}`
