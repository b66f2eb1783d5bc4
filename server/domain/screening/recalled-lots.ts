/**
 * Lots in the text of an enforcement report ("Lot #: 69403A, 69403B, Exp 10/15"). The text has no
 * fixed form, so the reading errs on the side of a look at the pack: it takes every code in the
 * text, and none at all where lots are described instead of listed.
 */

const maxLots = 5000

const saysLot = /\b(?:lots?|batch(?:es)?)\b/i
/** "all lots within expiry", but not "all lots beginning with 7". */
const saysAll =
  /\ball\s+(?:\w+\s+)?(?:lots?|batch(?:es)?|products?|units)\b(?!\s+(?:numbers?\s+)?(?:that\s+)?(?:beginning|begin|starting|start|ending|end|with|between|prior|before|after|from)\b)/i
/** Lots that are described: by their range, their beginning, or a sign for any character. */
const describes =
  /\b(?:through|thru|between|ranges?|beginning|starting|ending|prefix|suffix|prior to|before|or (?:higher|lower|greater))\b|\*|\b(?=[\dX]*\d)[\dA-Z]*X{2,}\b/i
const monthName = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const days = new RegExp(
  [
    String.raw`\b\d{1,4}[/.]\d{1,4}(?:[/.]\d{1,4})?\b`,
    String.raw`\b\d{1,2}[- ]?${monthName}[- ]?\d{2,4}\b`,
    String.raw`\b${monthName}[-. ]*(?:\d{1,2},? *)?\d{2,4}\b`,
  ].join('|'),
  'gi',
)
const expiries = new RegExp(String.raw`\bexp[a-z]*\b[.:]*\s*(?:date\b[.:]*\s*)?(?:${days.source})`, 'gi')
const ndcs = /\b\d{4,5}-\d{3,4}(?:-\d{1,2})?\b/g
const code = /[\dA-Z](?:[\dA-Z/-]*[\dA-Z])?/gi

export type ReadLots = {
  lots: string[]
  isForAllLots: boolean
  /** The text where no lot could be read from it; empty otherwise. */
  note: string
}

export function readLots(text: string): ReadLots {
  const isForAllLots = saysAll.test(text)
  const lots = saysLot.test(text) && !describes.test(text) ? listCodes(text) : []
  return { lots, isForAllLots, note: lots.length === 0 ? text : '' }
}

/** Words of the texts that are written like lots in letters only ("WXWZ"). */
const words = new Set(
  'ALL AND BATCH BATCHES BUD CODE CODES DATE DATED EXP EXPIRATION EXPIRES EXPIRY LOT LOTS NDC NONE NOS NUMBER NUMBERS PENDING PER THE UNKNOWN UPC USE USP VARIOUS WITH WITHIN'.split(
    ' ',
  ),
)
/** A letter that is set apart from its code: "L 19173". */
const apart = /\b([A-Z]{1,2}) (\d[\dA-Z]{2,})\b/g

/**
 * Whether a text that staff typed is one lot as printed, not several lots or a description, which
 * would match no lot. A text that `mayBeRange` may still be a range.
 */
export const isOneLot = (text: string): boolean =>
  /^[\p{L}\p{N}](?:[\p{L}\p{N}./_-]*[\p{L}\p{N}])?$/u.test(text) &&
  (/\p{N}/u.test(text) || /^[A-Z]{3,12}$/.test(text)) &&
  !/^(?:lots?|batch(?:es)?)(?:\b|[\d_]|[A-Z]\d)/i.test(text) &&
  !/\d(?:to|thru|through)[A-Z]*\d/i.test(text) &&
  !describes.test(text) &&
  !words.has(text.toUpperCase())

/** Whether a dash or slash divides two numbers: "23-1047" or "B12-B15" is a lot or a range. */
export const mayBeRange = (lot: string): boolean =>
  lot.split(/[./_-]+/).filter((part) => /\p{N}/u.test(part)).length > 1

const isLot = (one: string): boolean =>
  one.length >= 3 && one.length <= 60 && (/\d/.test(one) || (/^[A-Z]{3,12}$/.test(one) && !words.has(one)))

/**
 * Expiry dates and NDCs are no lots. A word that is taken for one matches no stock. "DEC1234" may
 * be a date or a lot, so it counts beside other lots, unless it follows "Exp".
 */
function listCodes(text: string): string[] {
  const rest = text.replace(ndcs, ' ').replace(days, ' ')
  const joined = [...rest.matchAll(apart)].map(([, letter = '', number = '']) => letter + number)
  const lots = new Set([...(rest.match(code) ?? []).filter(isLot), ...joined])
  if (![...lots].some((one) => /\d/.test(one))) return []
  for (const one of text.replace(ndcs, ' ').replace(expiries, ' ').match(days) ?? [])
    if (/^[\dA-Z]+$/i.test(one) && isLot(one)) lots.add(one)
  return lots.size > maxLots ? [] : [...lots]
}
