/** The targets of a page's links. */
export const readLinks = (html: string): string[] =>
  [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href))

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The content of a page's `<meta name>` or `<meta property>`, null when it has none. */
export function readMeta(html: string, name: string): string | null {
  const tag = [...html.matchAll(/<meta\b[^>]*>/g)].find(
    ([text]) => text.includes(` name="${name}"`) || text.includes(` property="${name}"`),
  )
  const content = tag && /\scontent="([^"]*)"/.exec(tag[0])?.[1]
  return content === undefined ? null : unescapeHtml(content)
}

export const readTitle = (html: string): string =>
  unescapeHtml(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '')

/** The canonical URLs of a page. There should be exactly one. */
export const readCanonicals = (html: string): string[] =>
  [...html.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href))

/** A page's JSON-LD, read as a browser does: each script ends at the first `</script`. */
export const readStructured = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script/g)].map(
    ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
  )
