import { categories, type Category } from '#domain/catalog/catalog.ts'
import { z } from 'zod'

const text = z.string().trim().min(1).optional().catch(undefined)

const schema = z.object({
  q: text,
  manufacturerId: text,
  ndc: text,
  din: text,
  upc: text,
  category: z.enum(categories).optional().catch(undefined),
  /** A page that is no positive whole number is the first one. */
  page: z.coerce.number().int().min(1).max(1_000_000_000).optional().catch(undefined),
})

export type SearchParams = {
  q?: string | undefined
  manufacturerId?: string | undefined
  ndc?: string | undefined
  din?: string | undefined
  upc?: string | undefined
  category?: Category | undefined
  page?: number | undefined
}

/** The search that a URL asks for: values trimmed, empty ones left out (specification, section 5). */
export const readSearch = (params: URLSearchParams): SearchParams => schema.parse(Object.fromEntries(params))

const brandSchema = schema.pick({ q: true, page: true }).extend({ letter: text })

/** Which brands a URL asks for. */
export const readBrandSearch = (
  params: URLSearchParams,
): { letter?: string | undefined; q?: string | undefined; page?: number | undefined } =>
  brandSchema.parse(Object.fromEntries(params))

/** The page that a list's URL asks for, the first one where it names none. */
export const readPageNumber = (request: Request): number =>
  schema.pick({ page: true }).parse(Object.fromEntries(new URL(request.url).searchParams)).page ?? 1

const choiceSchema = z.object({
  variant: text,
  /** The radios' own name: without scripts the form asks for the page of the chosen one. */
  variantId: text,
  form: text,
  strength: text,
  brand: text,
  pack: text,
  shown: z.coerce.number().int().min(1).max(100_000).optional().catch(undefined),
})

/** Which variant a product's URL names and how it narrows the others. */
export function readVariantChoice(params: URLSearchParams): {
  variantId?: string | undefined
  form?: string | undefined
  strength?: string | undefined
  brand?: string | undefined
  pack?: string | undefined
  shown?: number | undefined
} {
  const { variant, variantId, ...choice } = choiceSchema.parse(Object.fromEntries(params))
  return { variantId: variant ?? variantId, ...choice }
}
