import type { DosageForm } from './catalog.ts'

/** The facts that a picture shows; everything else about a variant leaves it unchanged. */
export type Illustration = {
  name: string
  form: DosageForm | null
  strength: string
  strengthUnit: string
  /** A brand's picture has a carton behind the container, a generic's has none. */
  brand: boolean
  packageSize: number
  packageUnit: string
}

/** Raise it when `illustration-drawing.ts` or a label changes: pictures are cached for ever under their hash. */
const drawing = 6

/** "Metformin, 500 mg, tablet, illustration": what the picture is for one who does not see it. */
export const illustrationAlt = (input: Illustration): string =>
  [input.name, strengthOf(input), input.form, 'illustration'].filter(Boolean).join(', ')

/** What the illustration of a variant shows. */
export const illustrationOf = (
  name: string,
  variant: {
    brandName: string | null
    dosageForm: DosageForm | null
    strength: string
    strengthUnit: string
    packageSize: number
    packageUnit: string
  },
): Illustration => ({
  name: variant.brandName || name,
  form: variant.dosageForm,
  strength: variant.strength,
  strengthUnit: variant.strengthUnit,
  brand: Boolean(variant.brandName),
  packageSize: variant.packageSize,
  packageUnit: variant.packageUnit,
})

/** The address of a variant's illustration; it changes with what it shows, so it may be kept for ever. */
export const illustrationUrl = (variantId: string, shown: Illustration): string =>
  `/img/v/${variantId}.svg?v=${illustrationHash(shown)}`

/** A short text that changes when the picture does. */
export const illustrationHash = (input: Illustration): string =>
  hashOf(
    [drawing, input.name, input.form ?? '', strengthOf(input), input.brand ? 1 : 0, packOf(input)].join('\n'),
  ).toString(36)

/** "500 mg"; empty where the directory states none. */
export const strengthOf = (input: Illustration): string =>
  [input.strength, input.strengthUnit].filter(Boolean).join(' ')

/** "30 tablet": the pack as its row has it. */
export const packOf = (input: Illustration): string =>
  [input.packageSize, input.packageUnit].filter(Boolean).join(' ')

/** FNV-1a over UTF-16 units, 32 bits, its bits mixed once at the end. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // FNV's low bits alone spread short names badly over ten hues.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
