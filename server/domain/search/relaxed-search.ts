/** A search that ignored words without a match. */
export type RelaxedSearch = {
  /** The ignored words; neighbors form one phrase: "blood pressure". */
  ignored: string[]
  /** What was searched for instead: the medicine, then strengths and forms. */
  shown: string
}

/** "No match for “pen”; showing Humira." */
export const relaxedSentence = ({ ignored, shown }: RelaxedSearch): string =>
  `No match for ${ignored.map((words) => `“${words}”`).join(' and ')}; showing ${shown}.`
