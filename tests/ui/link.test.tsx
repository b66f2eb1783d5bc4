import { Link } from '#app/render/Link.tsx'
import { renderToStaticMarkup } from 'react-dom/server'
import { Link as RouterLink, MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'

test.each([
  '/',
  '/products',
  '/products?category=Rx',
  '/products?q=a%26b&page=2',
  '/products/0198-é?variant=1#details',
  '/faq#returns',
])('Link renders the same anchor as React Router for %s, from any page', (to) => {
  for (const at of ['/', '/products/1?variant=2', '/cart']) {
    const props = { to, className: 'btn', replace: true, 'aria-current': 'page' } as const
    const drawn = (link: React.ReactNode): string =>
      renderToStaticMarkup(<MemoryRouter initialEntries={[at]}>{link}</MemoryRouter>)
    const attributes = (html: string): string[] => (html.match(/ [a-z-]+="[^"]*"/g) ?? []).toSorted()
    const [ours, theirs] = [
      drawn(
        <Link {...props} prefetch="intent">
          Go
        </Link>,
      ),
      drawn(<RouterLink {...props}>Go</RouterLink>),
    ]
    expect(attributes(ours)).toEqual(attributes(theirs))
    expect(ours).toMatch(/^<a .*>Go<\/a>$/)
  }
})
