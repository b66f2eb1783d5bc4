import { fastPathsEnabled } from '#domain/fast-paths.ts'
import type { ComponentType, ReactNode } from 'react'

/** Renders a component, or finds its HTML among what was rendered before. */
export type RenderFragment = <Props extends object>(component: ComponentType<Props>, props: Props) => string

type Content = { children: ReactNode } | { dangerouslySetInnerHTML: { __html: string } }
type ContentOf = <Props extends object>(component: ComponentType<Props>, props: Props) => Content

let renderFragment: RenderFragment | null = null

/** Set once, by the server's renderer. The browser has none. */
export function setFragmentRenderer(renderer: RenderFragment): void {
  renderFragment = renderer
}

/** The content of an element, rendered for each page. */
export const ownContent: ContentOf = (Component, props) => ({ children: <Component {...props} /> })

const serverContent: ContentOf = (component, props) =>
  renderFragment && fastPathsEnabled()
    ? { dangerouslySetInnerHTML: { __html: renderFragment(component, props) } }
    : ownContent(component, props)

/**
 * The content of an element that the server renders once and then repeats for every person:
 * `<li {...contentOf(ProductCard, { product })} />`. The component must be a function of its props
 * alone. Its props must be plain data, and nothing personal. It may use no context and no `useId`,
 * and no picture that loads eagerly: React would add a preload to its HTML.
 */
export const contentOf: ContentOf = import.meta.env.SSR ? serverContent : ownContent
