import type { ComponentProps } from 'react'
import { Link } from '../Link.tsx'
import { useHydrated } from '../use-hydrated.ts'
import type { GridChange, GridPlaceInUrl } from './grid-types.ts'

type GridLinkProps = Omit<ComponentProps<typeof Link>, 'to' | 'state'> & {
  url: GridPlaceInUrl
  change: GridChange
}

/** A way to another page or sort of a grid. A search that stands in no address goes along, without scripts in a form. */
export function GridLink({ url, change, className, ...rest }: GridLinkProps) {
  const hydrated = useHydrated()
  const q = url.params['q']
  if (url.isPrivate && q && !hydrated) {
    return (
      <form method="post" action={url.hrefOf(change)} className="contents">
        <button name="q" value={q} className={className} aria-label={rest['aria-label']}>
          {rest.children}
        </button>
      </form>
    )
  }
  return (
    <Link
      to={url.hrefOf(change)}
      state={url.state}
      preventScrollReset
      defaultShouldRevalidate={false}
      className={className}
      {...rest}
    />
  )
}
