/** A search that ignored words without a match. */
export type RelaxedSearch = {
  /** The ignored words; neighbors form one phrase: "blood pressure". */
  ignored: string[]
  /** What was searched for instead: the medicine, then strengths and forms. */
  shown: string
  /** "No match for “pen”; showing Humira." */
  sentence: string
}

/** The search with its sentence. */
export const describeRelaxed = (ignored: string[], shown: string): RelaxedSearch => ({
  ignored,
  shown,
  sentence: `No match for ${ignored.map((words) => `“${words}”`).join(' and ')}; showing ${shown}.`,
})
