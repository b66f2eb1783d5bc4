import { renderToString } from 'react-dom/server'
import { PersonButtons } from '../components/SiteHeader.tsx'
import { themeColors } from '../components/theme.ts'
import type { Frame } from '../components/frame.ts'

/** React Router escapes a page's data in this way, so that it cannot end its script element. */
const escapes: Record<string, string> = {
  '&': '\\u0026',
  '<': '\\u003c',
  '>': '\\u003e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}
const escapeScript = (text: string): string =>
  text.replaceAll(/[&<>\u2028\u2029]/g, (character) => escapes[character] ?? character)

/** JSON in a text, without its quotes. */
const inText = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Each part of a page that depends on its frame, in the order of the page: the theme, the color of
 * the browser's toolbar, the header's buttons, and the frame itself as React Router writes it: JSON
 * in a text, in JSON in a text.
 * @param path the path and query of the page
 */
export const listFrameParts = (frame: Frame, path: string): string[] => [
  `data-theme="pharma-${frame.theme}"`,
  `<meta name="theme-color" content="${themeColors[frame.theme]}"/>`,
  renderToString(
    <PersonButtons theme={frame.theme} user={frame.user} cartCount={frame.cart.count} path={path} />,
  ),
  escapeScript(inText(inText(JSON.stringify(frame)))),
]
