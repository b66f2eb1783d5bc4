import type { MetaDescriptor } from 'react-router'

/** What the router passes to every page's `meta`: the root's data and the location. */
type MetaArgs = {
  matches: readonly ({ loaderData?: unknown } | undefined)[]
  location: { pathname: string }
  /** The error of the page or of a parent route. */
  error?: unknown
}

type PageFacts = {
  /** Without the shop's name, which is appended. */
  title: string
  /** One or two sentences of up to about 155 characters, for search results. */
  description: string
  /** The canonical path, when it is not the current path without the query. */
  canonical?: string
  /** Personal pages and search results, which search engines should not index. */
  noindex?: boolean
  /** `og:type`, `website` by default. */
  type?: 'website' | 'article' | 'product'
  /** JSON-LD objects (schema.org) without their `@context`; their URLs begin with the origin. */
  structured?: (origin: string) => readonly StructuredData[]
}

/** A schema.org object. */
export type StructuredData = { '@type': string | readonly string[]; [property: string]: unknown }

/** Breadcrumbs from the home page: names and their paths. */
export const breadcrumbs = (
  origin: string,
  steps: readonly (readonly [name: string, path: string])[],
): StructuredData => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(([name, path], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
})

const picture = { path: '/share.png', width: 1200, height: 630, alt: 'A shelf of medicines' }

/** The origin from the root's loader; null when that loader failed. */
function findOrigin(matches: MetaArgs['matches']): string | null {
  const root: unknown = matches[0]?.loaderData
  if (!root || typeof root !== 'object' || !('origin' in root)) return null
  return typeof root.origin === 'string' ? root.origin : null
}

/** "/FAQ/" → "/faq": the router serves both, and a page has one canonical path. */
const canonicalPath = (path: string): string => path.replace(/(?<=[^/]|^\/)\/+$/, '').toLowerCase()

/**
 * A page's metadata: title, description, canonical URL, Open Graph (ogp.me) and structured data
 * (schema.org as JSON-LD).
 */
export function pageMeta({ matches, location, error }: MetaArgs, facts: PageFacts): MetaDescriptor[] {
  const { title, description, canonical = canonicalPath(location.pathname), type = 'website' } = facts
  const noindex = facts.noindex || Boolean(error)
  const origin = findOrigin(matches)
  const fullTitle = location.pathname === '/' ? title : `${title} | Meridian`
  const always: MetaDescriptor[] = [
    { title: fullTitle },
    { name: 'description', content: description },
    ...(noindex ? [{ name: 'robots', content: 'noindex' }] : []),
  ]
  if (origin === null || noindex) return always
  return [
    ...always,
    { tagName: 'link', rel: 'canonical', href: origin + canonical },
    { property: 'og:site_name', content: 'Meridian' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: type },
    { property: 'og:url', content: origin + canonical },
    { property: 'og:image', content: origin + picture.path },
    { property: 'og:image:width', content: String(picture.width) },
    { property: 'og:image:height', content: String(picture.height) },
    { property: 'og:image:alt', content: picture.alt },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(facts.structured?.(origin) ?? []).map((object) => ({
      'script:ld+json': { '@context': 'https://schema.org', ...object },
    })),
  ]
}
