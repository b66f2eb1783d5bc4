import type { IdentifierKind } from '#domain/catalog/identifiers.ts'

export type VariantIdentifiersTable = {
  code: string
  kind: IdentifierKind
  variantId: string
}
