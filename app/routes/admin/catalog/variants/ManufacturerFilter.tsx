import { GridLink } from '../../../../ui/data-grid/GridLink.tsx'
import type { GridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { X } from '../../../../ui/icons.tsx'

type ManufacturerFilterProps = { url: GridUrl; manufacturer: { name: string | null } | null }

/**
 * Names the manufacturer whose variants the list is limited to, with a link that removes the
 * filter.
 */
export function ManufacturerFilter({ url, manufacturer }: ManufacturerFilterProps) {
  if (!manufacturer) return null
  const name = manufacturer.name ?? 'unknown'
  return (
    <p className="mb-2 flex flex-wrap items-center gap-2">
      Manufacturer:
      <GridLink
        url={url}
        change={{ manufacturerId: null }}
        className="btn btn-outline max-w-full print:hidden"
        aria-label={`Manufacturer ${name}: remove this filter`}
        // The link disappears and would take the focus with it.
        onClick={() => document.getElementById('main')?.focus({ preventScroll: true })}
      >
        <span className="truncate">{name}</span> <X />
      </GridLink>
    </p>
  )
}
