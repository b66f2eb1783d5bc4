import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'
import { useOnline } from './use-online.ts'

export type LinkProps = Omit<RouterLinkProps, 'to' | 'relative' | 'discover' | 'mask'> & {
  /** A path of our own from `/` on: nothing is left to resolve. */
  to: string
}

/**
 * The anchor that React Router's link comes to on the server. Its hooks for resolving, clicking and prefetching are
 * for the browser, and cost a tenth of a page here.
 */
function ServerLink({
  to,
  prefetch: _prefetch,
  replace: _replace,
  state: _state,
  preventScrollReset: _preventScrollReset,
  reloadDocument: _reloadDocument,
  viewTransition: _viewTransition,
  defaultShouldRevalidate: _defaultShouldRevalidate,
  children,
  ...anchor
}: LinkProps) {
  return (
    <a {...anchor} href={to} data-discover="true">
      {children}
    </a>
  )
}

/** A prefetch that fails has the router load the page anew: without a connection there is none. */
function BrowserLink({ prefetch = 'none', ...link }: LinkProps) {
  return <RouterLink {...link} prefetch={useOnline() ? prefetch : 'none'} />
}

/** A link within the shop. */
export const Link: (props: LinkProps) => React.ReactNode = import.meta.env.SSR ? ServerLink : BrowserLink
