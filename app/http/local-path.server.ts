/**
 * A path on this site, or `/` for anything else. Browsers treat `//host`, `/\host`, and paths with
 * a tab or line break as another site's address.
 */
export function localPath(text: string | null): string {
  const base = 'http://shop.invalid'
  if (!text?.startsWith('/') || !URL.canParse(text, base)) return '/'
  const { origin, pathname, search } = new URL(text, base)
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/'
}
