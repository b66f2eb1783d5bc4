const withoutScripts = (html: string): string => html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '')

export const toPlainText = (html: string): string =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

/** The HTML of a page's main element, without its scripts. */
export const mainOf = (html: string): string => withoutScripts(/<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? '')

/** The text of a page's main element. */
export const readMain = (html: string): string => toPlainText(mainOf(html))

/** The text of every heading of this level, in document order. */
export const headingsOf = (html: string, level: 1 | 2 | 3): string[] =>
  [...mainOf(html).matchAll(new RegExp(`<h${level}\\b[^>]*>([\\s\\S]*?)</h${level}>`, 'g'))].map(
    ([, words = '']) => toPlainText(words),
  )

/** The unseen fields of the form with this accessible name, as a browser posts them. */
export function hiddenFields(html: string, name: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*aria-label="${name}"[^]*?</form>`).exec(html)?.[0] ?? ''
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  )
}
