import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of these tags that look at colors: all that another theme can change. */
const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * The violations that axe finds on the page as it is now, one line a rule. axe runs directly in the
 * page: ours have no frames, and the ready-made builder takes four times as long to look for them.
 * @param of 'colors' for the color rules alone, on a page that was checked whole in another theme
 */
export async function axeFindings(page: Page, of: 'all' | 'colors' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const runOnly: axe.RunOnly =
    of === 'all' ? { type: 'tag', values: tags } : { type: 'rule', values: colorRules }
  return page.evaluate(async (only) => {
    const { axe: run } = window as unknown as { axe: typeof axe }
    const { violations, passes } = await run.run(document, {
      runOnly: only,
      resultTypes: ['violations'],
      // No rule of these tags needs axe's own copies of the styles, and the page's policy refuses them.
      preload: false,
    })
    if (passes.length === 0) return ['axe checked nothing']
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  }, runOnly)
}
