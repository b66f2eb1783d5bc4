import type { ScreenedAllergy } from './patient.ts'

/**
 * Labels name allergens in wider words than the groups of ingredients: "beta-lactam" means
 * penicillins, cephalosporins and related drugs. This maps a group of `allergy-label` to the groups
 * of `allergy-groups` that it includes. It says nothing about cross-reactivity, which no open list
 * has.
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

/** Ingredients on the lists that share a group's name. */
const named: Readonly<Record<string, readonly string[]>> = {
  'benzyl-alcohol': ['BENZYL ALCOHOL'],
  'castor-oil': ['CASTOR OIL'],
  egg: ['EGG', 'EGG WHITE', 'EGG YOLK', 'EGG PHOSPHOLIPIDS'],
  gelatin: ['GELATIN'],
  mannitol: ['MANNITOL'],
  peanut: ['PEANUT'],
  'polyethylene-glycol': ['POLYETHYLENE GLYCOL 3350', 'POLYETHYLENE GLYCOL 400'],
  polysorbate: ['POLYSORBATE 80'],
  soy: ['SOYBEAN', 'SOYBEAN OIL'],
}

/**
 * The ingredients that an allergy names. Groups of excipients name ingredients, too:
 * polyethylene glycol is in many tablets and is the active ingredient of a laxative.
 */
export const ingredientsMeantBy = ({ kind, key }: ScreenedAllergy): readonly string[] =>
  kind === 'ingredient' ? [key] : kind === 'group' ? (named[key] ?? []) : []
