/** Sitemaps as streamed XML (sitemaps.org, protocol). */

type Entry = { url: string; updatedAt?: Date }

const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)

const lines = (tag: 'url' | 'sitemap', { url, updatedAt }: Entry): string =>
  `<${tag}><loc>${escapeXml(url)}</loc>${updatedAt ? `<lastmod>${updatedAt.toISOString()}</lastmod>` : ''}</${tag}>\n`

async function* document(
  root: 'urlset' | 'sitemapindex',
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
  for await (const entry of entries) yield lines(root === 'urlset' ? 'url' : 'sitemap', entry)
  yield `</${root}>\n`
}

/** A sitemap of pages. */
export const sitemap = (entries: AsyncIterable<Entry> | Iterable<Entry>): AsyncGenerator<string> =>
  document('urlset', entries)

/** A sitemap index. */
export const sitemapIndex = (entries: Iterable<Entry>): AsyncGenerator<string> =>
  document('sitemapindex', entries)
