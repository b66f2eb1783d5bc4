import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import type { RenderFragment } from './fragments.tsx'

/** The same text. React's is a tree of its many pieces, which takes several times the memory. */
const inOnePiece = (html: string): string => Buffer.from(html).toString()

/**
 * Keeps what `render` returns for a component and its props, the least recently used evicted first.
 * Props are plain data, and nothing personal: every person gets the same HTML.
 * @param maxLength of keys and HTML together, in characters, which take up to two bytes each
 */
export function createFragmentCache(
  render: (element: React.ReactElement) => string,
  maxLength: number,
): RenderFragment {
  const ids = new WeakMap<object, number>()
  const fragments = new Map<string, string>()
  let lastId = 0
  let length = 0

  const idOf = (component: object): number => {
    const id = ids.get(component) ?? ++lastId
    ids.set(component, id)
    return id
  }

  return <Props extends object>(component: ComponentType<Props>, props: Props): string => {
    if (!fastPathsEnabled()) return render(createElement(component, props))
    const key = `${idOf(component)} ${JSON.stringify(props)}`
    const known = fragments.get(key)
    if (known !== undefined) {
      // The one that was used last is at the end.
      fragments.delete(key)
      fragments.set(key, known)
      return known
    }
    const html = inOnePiece(render(createElement(component, props)))
    fragments.set(key, html)
    length += key.length + html.length
    for (const [oldest, text] of fragments) {
      if (length <= maxLength) break
      fragments.delete(oldest)
      length -= oldest.length + text.length
    }
    return html
  }
}

/** Parts of pages that the browser hydrates. */
export const renderFragment = createFragmentCache(renderToString, 2_000_000)

/** HTML that loaders return: the browser has no code for it. */
export const renderStatic = createFragmentCache(renderToStaticMarkup, 1_000_000)
