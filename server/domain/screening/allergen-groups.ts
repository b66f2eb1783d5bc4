/**
 * Labels name allergens in wider words than the groups of ingredients: "beta-lactam" means
 * penicillins, cephalosporins and their kin. Here are the groups of `allergy-groups` that a group
 * of `allergy-label` means by its own name. It says nothing about cross-reactivity, which no open
 * list has.
 */
const meant: Readonly<Record<string, readonly string[]>> = {
  'beta-lactam': ['penicillin', 'cephalosporin', 'carbapenem', 'monobactam'],
  'nsaid-aspirin': ['nsaid', 'salicylate'],
  sulfonamide: ['sulfonamide-antibacterial'],
  'imidazole-azole': ['azole-antifungal', 'nitroimidazole'],
  hydantoin: ['hydantoin-aromatic-anticonvulsant'],
  'carbamazepine-tricyclic': ['tricyclic'],
}

/** The groups that a label's group means, itself included. */
export const groupsMeantBy = (labelGroup: string): readonly string[] => [
  labelGroup,
  ...(meant[labelGroup] ?? []),
]
