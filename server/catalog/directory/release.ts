/** How a tablet or capsule lets its content go: of two releases neither effect nor price is the same. */
export type Release = 'plain' | 'extended' | 'delayed' | 'disintegrating' | 'chewable'

/** The release that a directory's form or a price list's term names. */
export function releaseOf(text: string): Release {
  if (/extended|sustained|controlled|slow|\b(?:ER|XR|SR|XL|LA|CD)\b/i.test(text)) return 'extended'
  if (/delayed|enteric|\b(?:DR|EC)\b/i.test(text)) return 'delayed'
  if (/disintegrating|\bODT\b/i.test(text)) return 'disintegrating'
  return /chewable|\bchew\b/i.test(text) ? 'chewable' : 'plain'
}
