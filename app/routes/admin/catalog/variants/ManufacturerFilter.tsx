import { GridLink } from '../../../../ui/data-grid/GridLink.tsx'
import type { GridPlaceInUrl } from '../../../../ui/data-grid/grid-types.ts'
import { X } from '../../../../ui/icons.tsx'

type MakerFilterProps = { url: GridPlaceInUrl; maker: { name: string | null } | null }

/** Says that one maker's variants alone are shown, as the makers' own grid links to them, and takes that back. */
export function MakerFilter({ url, maker }: MakerFilterProps) {
  if (!maker) return null
  const name = maker.name ?? 'unknown'
  return (
    <p className="mb-2 flex flex-wrap items-center gap-2">
      Manufacturer:
      <GridLink
        url={url}
        change={{ manufacturerId: null }}
        className="btn btn-outline max-w-full print:hidden"
        aria-label={`Manufacturer ${name}: remove this filter`}
        // It is gone at once, and the focus with it.
        onClick={() => document.getElementById('main')?.focus({ preventScroll: true })}
      >
        <span className="truncate">{name}</span> <X />
      </GridLink>
    </p>
  )
}
