import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

declare global {
  interface Window {
    /** Added by `addAxe`. */
    axe: typeof axe
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of these tags that check colors. A theme changes nothing else. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Adds axe to the page, and makes it remember the colors it has parsed. */
function addAxe(page: Page): Promise<void> {
  return page.evaluate(`${source}
    {
      const { prototype } = axe.commons.color.Color
      const { parseString } = prototype
      const known = new Map()
      prototype.parseString = function (text) {
        const color = known.get(text)
        if (!color) {
          parseString.call(this, text)
          known.set(text, { r: this.r, g: this.g, b: this.b, alpha: this.alpha })
        } else Object.assign(this, color)
        return this
      }
    }`)
}

/**
 * The violations that axe finds in the page's current state, one line per rule. axe runs directly
 * in the page. Our pages have no frames, and `@axe-core/playwright` spends four times as long
 * looking for them.
 * @param of 'colors' runs only the color rules, on a page already checked in another theme
 */
export async function axeFindings(page: Page, of: 'all' | 'colors' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await addAxe(page)
  const runOnly: axe.RunOnly =
    of === 'all' ? { type: 'tag', values: tags } : { type: 'rule', values: colorRules }
  return page.evaluate(async (only) => {
    // Halfway through a transition, a color is neither the old nor the new one.
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) animation.finish()
    }
    const { violations, passes } = await window.axe.run(document, {
      runOnly: only,
      resultTypes: ['violations'],
      // axe would copy the style sheets. The page's CSP blocks that, and these rules do not need
      // it.
      preload: false,
    })
    if (passes.length === 0) return ['axe checked nothing']
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  }, runOnly)
}
