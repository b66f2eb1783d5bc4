import { z } from 'zod'
import { usStates } from '../accounts/jurisdictions.ts'
import { cleanLine } from '../clean-text.ts'
import { fold } from '../text.ts'
import type { StateScheduledDrug } from './settings.ts'

/** The list's length. Every look at it reads the whole list. */
export const maxStateScheduled = 500

const codesByName = new Map(Object.entries(usStates).map(([code, name]) => [fold(name), code]))

/**
 * The postal code of a US state that is written as its code or its name. Null for any other text.
 */
export function toStateCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return Object.hasOwn(usStates, code) ? code : (codesByName.get(fold(text)) ?? null)
}

const statesMessage = 'Enter at least one state, such as KY, MI.'

/** The form that adds a drug: its ingredient, and the states that schedule it. */
export const addDrugSchema = z.object({
  ingredient: z
    .string({ error: 'Enter the ingredient, such as gabapentin.' })
    .transform(cleanLine)
    .pipe(
      z
        .string()
        .min(3, 'Enter the ingredient, such as gabapentin.')
        .max(100, 'Use at most 100 characters.')
        .regex(/^\p{L}[\p{L}\p{N} ,'’()-]*$/u, 'Use letters, digits, spaces and hyphens.'),
    ),
  states: z
    .string({ error: statesMessage })
    .max(1000, 'Use at most 1000 characters.')
    .transform((text, check) => {
      const states = new Set<string>()
      for (const part of text.split(/[,;\n]/).map((part) => part.trim())) {
        if (part === '') continue
        const code = toStateCode(part)
        if (code === null) check.addIssue(`“${part}” isn’t a US state. Use postal codes, such as KY, MI.`)
        else states.add(code)
      }
      if (states.size === 0) check.addIssue(statesMessage)
      return [...states].toSorted()
    }),
  code: z.string().max(100, 'This code is too long.').default(''),
})

export const removeDrugSchema = z.object({
  ingredient: z.string().max(100),
  state: z.string().max(2),
  code: z.string().max(100, 'This code is too long.').default(''),
})

const isSame = (one: StateScheduledDrug, other: StateScheduledDrug): boolean =>
  one.state === other.state && fold(one.ingredient) === fold(other.ingredient)

/** The list with these drugs, sorted, without duplicates. */
export const withDrugs = (
  list: readonly StateScheduledDrug[],
  added: readonly StateScheduledDrug[],
): StateScheduledDrug[] =>
  [...list, ...added.filter((drug) => !list.some((listed) => isSame(listed, drug)))].toSorted(
    (a, b) => a.ingredient.localeCompare(b.ingredient) || a.state.localeCompare(b.state),
  )

/** The list without this drug. */
export const withoutDrug = (
  list: readonly StateScheduledDrug[],
  removed: StateScheduledDrug,
): StateScheduledDrug[] => list.filter((drug) => !isSame(drug, removed))

/**
 * Whether one of these ingredients is the drug's, with any salt: "tramadol" matches "Tramadol
 * hydrochloride".
 */
export const hasIngredient = (ingredients: readonly string[], ingredient: string): boolean =>
  ingredients.some((one) => `${fold(one)} `.startsWith(`${fold(ingredient)} `))

/** How many products of the catalog an entry of the list concerns. */
export const describeListed = (ingredient: string, products: number): string => {
  if (products === 0) return `No product in the catalog contains ${ingredient}. Check the spelling.`
  return products === 1
    ? `1 product in the catalog contains ${ingredient}.`
    : `${products.toLocaleString('en-US')} products in the catalog contain ${ingredient}.`
}

/** The states that schedule any of these ingredients, by postal code. */
export function statesThatSchedule(
  list: readonly StateScheduledDrug[],
  ingredients: readonly string[],
): string[] {
  const states = list
    .filter(({ ingredient }) => hasIngredient(ingredients, ingredient))
    .map(({ state }) => state)
  return [...new Set(states)].toSorted()
}
