/**
 * A path of this shop to lead back to, `/` for whatever else was sent: browsers take `//host`, `/\host` and an
 * address with a tab or a line break in it for another site's.
 */
export function ownPath(text: string | null): string {
  const base = 'http://shop.invalid'
  if (!text?.startsWith('/') || !URL.canParse(text, base)) return '/'
  const { origin, pathname, search } = new URL(text, base)
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/'
}
