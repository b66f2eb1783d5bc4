const withoutScripts = (html: string): string => html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '')

const plain = (html: string): string =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

/** What stands between the tags of a page's main part, without its scripts. */
export const mainOf = (html: string): string => withoutScripts(/<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? '')

/** What one reads of a page's main part. */
export const readMain = (html: string): string => plain(mainOf(html))

/** The words of every heading of this level, in their order. */
export const headingsOf = (html: string, level: 1 | 2 | 3): string[] =>
  [...mainOf(html).matchAll(new RegExp(`<h${level}\\b[^>]*>([\\s\\S]*?)</h${level}>`, 'g'))].map(
    ([, words = '']) => plain(words),
  )
