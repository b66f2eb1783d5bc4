import { paths } from '#domain/paths.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { CategoryLinks } from './CategoryLinks.tsx'
import { FaqList } from './FaqList.tsx'
import { Hero } from './Hero.tsx'
import { ProductGrid } from '../../components/ProductCard.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { faqStructured } from './faq-structured-data.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta, type StructuredData } from '../../render/page-meta.ts'
import { getContext } from '../../http/request-context.server.ts'
import type { Route } from './+types/home'
import { homeQuestions } from './home-questions.ts'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { products } = await searchProducts(getContext(args), { limit: 8 })
  return { popular: products }
})

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Meridian: Your Global Pharmacy Marketplace',
    description:
      'Find prescription and over-the-counter medicines from licensed partner pharmacies by name, NDC, DIN or UPC, and compare brands with generics.',
    structured: (origin) => [...shopStructuredData(origin), faqStructured(homeQuestions)],
  })

/** The organization and the site search (schema.org). */
const shopStructuredData = (origin: string): StructuredData[] => [
  {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: 'Meridian',
    url: `${origin}/`,
    logo: `${origin}/favicon.svg`,
  },
  {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: 'Meridian',
    url: `${origin}/`,
    publisher: { '@id': `${origin}/#organization` },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}${paths.products}?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  },
]

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Hero />
      <section className="page pt-12" aria-labelledby="categories">
        <h2 id="categories" className="text-xl">
          Browse by Category
        </h2>
        <div className="mt-5">
          <CategoryLinks />
        </div>
      </section>
      <section className="page pt-12" aria-labelledby="popular">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="popular" className="text-xl">
            Popular Medications
          </h2>
          <LinkButton kind="quiet" to={paths.products} className="-me-4 text-primary">
            See all
          </LinkButton>
        </div>
        <div className="mt-5">
          <ProductGrid products={loaderData.popular} level={3} />
        </div>
      </section>
      <section
        className="page grid gap-x-12 gap-y-5 pt-14 lg:grid-cols-[1fr_2fr]"
        aria-labelledby="questions"
      >
        <div>
          <h2 id="questions" className="text-xl">
            Frequently Asked Questions
          </h2>
          <p className="mt-3 max-w-[40ch] text-muted">
            Answers about prescriptions, delivery, payment and refunds.
          </p>
          <LinkButton kind="quiet" to={paths.contact} className="-ms-4 mt-2 text-primary">
            Ask us
          </LinkButton>
        </div>
        <FaqList name="questions" entries={homeQuestions} />
      </section>
    </>
  )
}
