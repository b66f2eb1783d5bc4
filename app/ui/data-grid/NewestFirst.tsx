import { GridLink } from './GridLink.tsx'
import type { GridUrl } from './grid-url.ts'

/** Switches between the default sort and newest first, which no column header offers. */
export function NewestFirst({ url }: { url: GridUrl }) {
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
