import { GridLink } from './GridLink.tsx'
import type { GridPlaceInUrl } from './grid-types.ts'

/** Switches between the default sort and newest first, which no column header offers. */
export function NewestFirst({ url }: { url: GridPlaceInUrl }) {
  const isOn = url.params['sort'] === 'newest' && url.params['dir'] === 'desc'
  return (
    <GridLink
      url={url}
      change={isOn ? { sort: null, dir: null } : { sort: 'newest', dir: 'desc' }}
      className={`btn ${isOn ? 'btn-outline' : 'btn-ghost'}`}
      {...(isOn && { 'aria-current': 'true' as const })}
    >
      Newest first
    </GridLink>
  )
}
