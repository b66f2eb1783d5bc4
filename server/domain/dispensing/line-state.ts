/** How a prescription line of a cart stands, as the pages show it. Without zod, for the browser. */

export type LineState = {
  /**
   * `covered`: an item of the customer's own allows it. `to review`: a pharmacist will compare
   * it with the chosen prescription. `choose`: it needs a prescription. `refused`: it cannot be
   * ordered like this.
   */
  kind: 'covered' | 'to review' | 'choose' | 'refused'
  /** What the customer reads beside the line. */
  message: string
  /** Whether only another prescription would cover it. */
  needsPrescription: boolean
  /**
   * Whether the customer already has this medicine. Another prescription does not make it come
   * sooner.
   */
  isTooSoon: boolean
  /** The packs that can be ordered instead; 0 when another quantity does not help. */
  allowedPacks: number
  /** Whether a new prescription for this medicine helps. */
  needsUpload: boolean
  /**
   * The same with the items of one patient only, by patient: a chosen prescription is for one of
   * them. Absent when no item of the account is for this medicine.
   */
  ofPatients?: Record<string, LineState>
}

/** The id of a line at checkout: the element that shows it, and its errors. */
export const lineFieldId = (variantId: string): string => `line-${variantId}`

const toReview: LineState = {
  kind: 'to review',
  message: 'A pharmacist will check this against the prescription you choose',
  needsPrescription: false,
  isTooSoon: false,
  allowedPacks: 0,
  needsUpload: false,
}

/** None of the patient's items is for this medicine. */
const toChoose: LineState = { ...toReview, kind: 'choose', message: '', needsPrescription: true }

/**
 * The state of a line with the prescription that is chosen at checkout. A line with an item of its
 * own does not need it, and one that is too soon cannot use it (`resolveLine`). Until a pharmacist
 * has transcribed a prescription, it may be for any medicine; after that, only its items count. The
 * checkout's page and form call this.
 */
export const withChosen = (
  all: LineState,
  chosen: { isTranscribed: boolean; patientId: string } | null,
): LineState => {
  const state = chosen && all.ofPatients ? (all.ofPatients[chosen.patientId] ?? toChoose) : all
  if (state.kind === 'covered' || state.isTooSoon || chosen === null) return state
  if (!chosen.isTranscribed) return toReview
  return state.kind === 'choose'
    ? {
        ...state,
        kind: 'refused',
        message: 'Not covered: the prescription you chose is for another medicine',
      }
    : state
}

/**
 * The prescription to preselect at checkout: the only one that can be for the lines without an item
 * of their own. Null when no line needs one, or when the customer has to choose.
 */
export function preselect<Prescription extends { isTranscribed: boolean }>(
  lines: readonly (Pick<LineState, 'needsPrescription'> | null)[],
  prescriptions: readonly Prescription[],
): Prescription | null {
  if (!lines.some((line) => line?.needsPrescription)) return null
  const [only, ...others] = prescriptions.filter(({ isTranscribed }) => !isTranscribed)
  return only && others.length === 0 ? only : null
}
