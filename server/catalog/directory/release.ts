/** How a tablet or capsule releases its content. Different releases differ in effect and price. */
export type Release = 'plain' | 'extended' | 'delayed' | 'disintegrating' | 'chewable'

/** The release named by a directory's form or a price list's term. */
export function parseRelease(text: string): Release {
  if (/extended|sustained|controlled|slow|\b(?:ER|XR|SR|XL|LA|CD)\b/i.test(text)) return 'extended'
  if (/delayed|enteric|\b(?:DR|EC)\b/i.test(text)) return 'delayed'
  if (/disintegrating|\bODT\b/i.test(text)) return 'disintegrating'
  return /chewable|\bchew\b/i.test(text) ? 'chewable' : 'plain'
}
