import type { DispensingLabel } from '#domain/dispensing/label.ts'
import a4 from '../../../print/paper-a4.css?url'
import label from '../../../print/paper-label.css?url'
import letter from '../../../print/paper-letter.css?url'
import longRoll from '../../../print/paper-roll-long.css?url'
import roll from '../../../print/paper-roll.css?url'

/** The papers that a pharmacy prints on. */
export const papers = {
  label: 'Label, 4 × 6 in',
  roll: 'Roll, 62 mm',
  a4: 'A4 sheet',
  letter: 'Letter sheet',
} as const
export type Paper = keyof typeof papers
export const paperNames = Object.keys(papers) as Paper[]

/** The style sheets that set the page's size, in `app/print`. */
export const pageSizes = {
  'paper-label': label,
  'paper-roll': roll,
  'paper-roll-long': longRoll,
  'paper-a4': a4,
  'paper-letter': letter,
} as const

/** The paper of a URL's `paper`, or else this one. */
export const parsePaper = <Otherwise extends Paper>(text: string | null, otherwise: Otherwise): Paper =>
  paperNames.find((name) => name === text) ?? otherwise

/** The characters of a label that fit on the shorter piece of the roll. */
const shortRollCharacters = 520

/** The page size of a label's paper. A long label gets a longer piece of the roll. */
export function choosePageSize(paper: Paper, label: DispensingLabel): keyof typeof pageSizes {
  if (paper !== 'roll') return `paper-${paper}`
  const { pharmacy, medicine, warnings, ...rest } = label
  const texts = [rest, medicine, pharmacy ?? {}].flatMap((part) => Object.values<unknown>(part)).flat()
  const characters = [...texts, ...warnings].reduce<number>((sum, text) => sum + String(text ?? '').length, 0)
  return characters > shortRollCharacters ? 'paper-roll-long' : 'paper-roll'
}
