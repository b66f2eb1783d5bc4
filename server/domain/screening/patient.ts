/** The patient as the screening sees them: what they take, what they react to, and who they are. */

/**
 * A medicine that the patient takes, that the shop dispensed and whose supply still lasts, or that
 * is in another unshipped order.
 */
export type ScreenedMedication = {
  /** As the patient picked it or as the prescription item says: "Coumadin", "Warfarin 5 mg". */
  name: string
  /** Ingredient keys, sorted (`ingredient-names.tsv`). Empty when nothing recognized the name. */
  ingredients: readonly string[]
  /** The product's route, as pages show it ("oral", "topical"). Null when unknown. */
  route: string | null
  source: 'listed' | 'dispensed' | 'ordered'
  /** The prescription item that it was dispensed on. */
  itemId?: string
  /** "10 mg", for what was dispensed. Two strengths of one medicine can be deliberate. */
  strength?: string
  /**
   * The day (`YYYY-MM-DD`) from which the shop fills the next supply. From then on another
   * prescription of the same medicine continues this one.
   */
  refillsFrom?: string
}

/**
 * What the patient reacts to. `ingredient`: an ingredient key. `group`: a group of
 * `allergy-groups.tsv` or `allergy-label.tsv` ("penicillin", "egg"). `unrecognized`: text that no
 * list knows; its key is empty.
 */
export type ScreenedAllergy = {
  /** As the patient wrote or picked it. */
  name: string
  kind: 'ingredient' | 'group' | 'unrecognized'
  key: string
}

export type ScreenedPatient = {
  medications: readonly ScreenedMedication[]
  allergies: readonly ScreenedAllergy[]
  /** Null when not asked or not answered. False too for those whom it cannot concern. */
  pregnant: boolean | null
  /** Like `pregnant`. No list of ours has it; the result says so. */
  breastfeeding: boolean | null
  /** `YYYY-MM-DD`, or null. */
  birthDate: string | null
  /** In pounds, as the profile stores it, or null. No list of ours has it. */
  weight: number | null
}

/** A patient of whom nothing is known: a visitor's cart. */
export const unknownPatient: ScreenedPatient = {
  medications: [],
  allergies: [],
  pregnant: null,
  breastfeeding: null,
  birthDate: null,
  weight: null,
}
