import type { ComponentProps } from 'react'
import { Link } from '../../render/Link.tsx'
import { useHydrated } from '../use-hydrated.ts'
import type { GridChange, GridUrl } from './grid-url.ts'

type GridLinkProps = Omit<ComponentProps<typeof Link>, 'to' | 'state'> & {
  url: GridUrl
  change: GridChange
}

/**
 * A link to another page or sort of a grid. It carries a private search as history state,
 * or without scripts as a form.
 */
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
