import type { ComponentProps } from 'react'
import { Link } from '../../render/Link.tsx'
import { useHydrated } from '../use-hydrated.ts'
import type { GridChange, GridUrl } from './grid-url.ts'

type GridLinkProps = Omit<ComponentProps<typeof Link>, 'to' | 'state'> & {
  url: GridUrl
  change: GridChange
  /** The element to scroll to: "#history". */
  hash?: string
}

/**
 * A link that changes a grid: another page, sort or filter. It carries a private search as history
 * state, or without scripts as a form.
 */
export function GridLink({ url, change, hash = '', className, onClick, ...rest }: GridLinkProps) {
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
      to={url.hrefOf(change) + hash}
      state={url.state}
      onClick={(event) => {
        onClick?.(event)
        // With a modifier it opens in another tab or window.
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        url.go(change, { hash })
      }}
      className={className}
      {...rest}
    />
  )
}
