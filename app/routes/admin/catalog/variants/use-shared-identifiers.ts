import { identifierWarning } from '#domain/catalog/identifier-warnings.ts'
import { trpc } from '../../../../http/trpc.ts'
import type { VariantFormValues, VariantInput } from './variant-input.ts'

const kinds = ['upc', 'ndc', 'din'] as const

/** By field, that another variant has the identifier, while it is typed. */
export function useSharedIdentifiers(id: string | null, values: VariantFormValues) {
  // A half-typed identifier is not looked up.
  const [upc, ndc, din] = kinds.map((kind) => (identifierWarning(kind, values[kind]) ? '' : values[kind]))
  const lookup = { id, upc, ndc, din }
  const { data } = trpc.variants.sharedIdentifiers.useQuery(lookup, {
    enabled: [upc, ndc, din].some(Boolean),
  })
  return data ?? {}
}

/** Says after a save that other variants have these identifiers; blank when none has. */
export function useSharedIdentifierNote() {
  const { variants } = trpc.useUtils()
  return async (id: string, changes: Partial<VariantInput>): Promise<string> => {
    const [upc, ndc, din] = kinds.map((kind) => changes[kind] ?? '')
    if (![upc, ndc, din].some(Boolean)) return ''
    // The save succeeded, whether or not this look-up does.
    const shared = await variants.sharedIdentifiers.fetch({ id, upc, ndc, din }).catch(() => ({}))
    return Object.values(shared)
      .map((sentence) => ` ${sentence}`)
      .join('')
  }
}
