/** What FDA's list says about the prescribed and the ordered medicine. */
export type ListedCodes = {
  /** Null where the list has no code: the pharmacist may then enter one. */
  prescribed: string | null
  offered: string | null
  /** Whether it rates them as equivalent. Null unless it rates both. */
  isEquivalent: boolean | null
  /** The day of the list. */
  listDate: string | null
}
