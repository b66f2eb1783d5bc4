import type { IdentifierKind } from '#domain/catalog/identifiers.ts'

export type VariantIdentifiersTable = {
  value: string
  kind: IdentifierKind
  variantId: string
}
