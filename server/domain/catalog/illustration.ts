import { paths } from '#domain/paths.ts'
import type { DosageForm } from './catalog.ts'

/** The data that a picture shows. Nothing else about a variant changes it. */
export type Illustration = {
  name: string
  /** As pages show it ("ophthalmic"). Null when unknown. */
  route: string | null
  form: DosageForm | null
  strength: string
  strengthUnit: string
  /** A brand's picture has a carton behind the container. A generic's has none. */
  isBrand: boolean
  packageSize: number
  packageUnit: string
}

/**
 * Raise this when `illustration-drawing.ts` or a label changes: pictures are cached forever by
 * hash.
 */
const drawingVersion = 7

/** "Metformin, 500 mg, tablet, illustration": the alt text. */
export const illustrationAlt = (input: Illustration): string =>
  [input.name, illustratedStrength(input), input.form, 'illustration'].filter(Boolean).join(', ')

/** What a variant's illustration shows. */
export const toIllustration = (
  product: { name: string; route: string | null },
  variant: {
    brandName: string | null
    dosageForm: DosageForm | null
    strength: string
    strengthUnit: string
    packageSize: number
    packageUnit: string
  },
): Illustration => ({
  name: variant.brandName || product.name,
  route: product.route,
  form: variant.dosageForm,
  strength: variant.strength,
  strengthUnit: variant.strengthUnit,
  isBrand: Boolean(variant.brandName),
  packageSize: variant.packageSize,
  packageUnit: variant.packageUnit,
})

/**
 * The URL of a variant's illustration. It changes with the content, so it can be cached forever.
 */
export const illustrationUrl = (variantId: string, shown: Illustration): string =>
  `${paths.illustrations}/${variantId}.svg?v=${illustrationHash(shown)}`

/** A short hash that changes when the picture does. */
export const illustrationHash = (input: Illustration): string =>
  fnv1a(
    [
      drawingVersion,
      input.name,
      input.route ?? '',
      input.form ?? '',
      illustratedStrength(input),
      input.isBrand ? 1 : 0,
      illustratedPack(input),
    ].join('\n'),
  ).toString(36)

/** "500 mg". Empty when the directory states no strength. */
export const illustratedStrength = (input: Illustration): string =>
  [input.strength, input.strengthUnit].filter(Boolean).join(' ')

/** "30 tablet": the package as stored. */
export const illustratedPack = (input: Illustration): string =>
  [input.packageSize, input.packageUnit].filter(Boolean).join(' ')

/** FNV-1a over UTF-16 units, 32 bits, with one final mix. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // FNV's low bits alone spread short names badly over ten hues.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
