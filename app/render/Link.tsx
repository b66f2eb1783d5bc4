import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'
import { useOnline } from '../ui/use-online.ts'

export type LinkProps = Omit<RouterLinkProps, 'to' | 'relative' | 'discover' | 'mask'> & {
  /** An absolute path on our site, so that there is nothing to resolve. */
  to: string
}

/**
 * The anchor that React Router's Link renders on the server. Its hooks for resolving, clicking and
 * prefetching serve the browser only and cost a tenth of a page's rendering time here.
 */
function ServerLink(props: LinkProps) {
  const {
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
  } = props
  if (!fastPathsEnabled()) return <RouterLink {...props} />
  return (
    <a {...anchor} href={to} data-discover="true">
      {children}
    </a>
  )
}

/** When a prefetch fails, the router reloads the page, so there is no prefetch while offline. */
function BrowserLink({ prefetch = 'none', ...link }: LinkProps) {
  return <RouterLink {...link} prefetch={useOnline() ? prefetch : 'none'} />
}

/** A link within the shop. */
export const Link: (props: LinkProps) => React.ReactNode = import.meta.env.SSR ? ServerLink : BrowserLink
