import type { IdentifierKind } from '#domain/identifiers.ts'

export type VariantIdentifiersTable = {
  code: string
  kind: IdentifierKind
  variantId: string
}
