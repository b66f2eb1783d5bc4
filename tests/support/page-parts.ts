import type { Page } from '@playwright/test'

/** The elements of a document, as HTML. Two documents with the same parts look the same. */
type Parts = {
  /** The site's header, which is the same on many pages. Empty in the back office. */
  header: string
  rest: string
}

/**
 * The parts of the page as it is now, and of the page that a browser without scripts shows. The
 * latter also lists the styles for such browsers that match an element.
 * @param served the page's HTML, without its scripts
 */
export function pageParts(page: Page, served: string): Promise<{ now: Parts; withoutScripts: Parts }> {
  return page.evaluate((html) => {
    function partsOf(source: Document): Parts {
      const root = source.documentElement.cloneNode(true) as HTMLElement
      for (const element of root.querySelectorAll('script, link:not([rel=stylesheet])')) element.remove()
      for (const element of root.querySelectorAll('[nonce]')) element.removeAttribute('nonce')
      // The tests change the theme.
      delete root.dataset['theme']
      const header = root.querySelector('body > header, body > div > header')
      header?.remove()
      // Link targets and typed values differ from page to page. axe checks neither.
      for (const link of header?.querySelectorAll('a') ?? []) link.href = ''
      for (const input of header?.querySelectorAll('input') ?? []) input.removeAttribute('value')
      return { header: header?.outerHTML ?? '', rest: root.outerHTML }
    }
    const rulesOf = (list: CSSRuleList): CSSRule[] =>
      [...list].flatMap((rule) => [
        rule,
        ...('cssRules' in rule ? rulesOf(rule.cssRules as CSSRuleList) : []),
      ])
    const selectors = [...document.styleSheets]
      .flatMap(({ cssRules }) => rulesOf(cssRules))
      .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText.includes('scripting: none'))
      .flatMap((rule) => rulesOf((rule as CSSMediaRule).cssRules))
      .flatMap((rule) => (rule instanceof CSSStyleRule ? [rule.selectorText] : []))
    const copy = new DOMParser().parseFromString(html, 'text/html')
    // The empty container of toasts is on every page and shows nothing.
    const matched = selectors.filter((selector) => copy.querySelector(`:is(${selector}):not(div:empty)`))
    const { header, rest } = partsOf(copy)
    return { now: partsOf(document), withoutScripts: { header, rest: rest + matched.join('\n') } }
  }, served)
}
