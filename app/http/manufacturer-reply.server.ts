import type { Manufacturer, ManufacturerRow } from '#domain/catalog/manufacturer-fields.ts'

/** A manufacturer in /api responses to admins (specification, section 3). */
export const manufacturerReply = ({
  version: _version,
  variantCount: _variantCount,
  ...manufacturer
}: ManufacturerRow): Manufacturer => manufacturer
