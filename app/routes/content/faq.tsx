import { ContentPage } from '../../components/ContentPage.tsx'
import { FaqList } from './FaqList.tsx'
import { SupportCard } from '../../components/SupportCard.tsx'
import { faqStructured } from './faq-structured-data.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { supportLoader } from '../../http/support-loader.server.ts'
import type { Route } from './+types/faq'
import { faqEntries } from './faq-entries.ts'

export const loader = (args: Route.LoaderArgs) => supportLoader(args)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'FAQ',
    description:
      'Answers about ordering prescription medications, payment, shipping times, tracking, returns, and how partner pharmacies are verified.',
    structured: () => [faqStructured(faqEntries)],
  })

export default function Faq({ loaderData: support }: Route.ComponentProps) {
  return (
    <ContentPage
      title="FAQ"
      lead="Common questions about prescriptions, payment, delivery, authenticity, tracking and returns."
    >
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_20rem]">
        <section aria-labelledby="questions">
          <h2 id="questions" className="sr-only">
            Questions and answers
          </h2>
          <FaqList name="faq" entries={faqEntries} />
        </section>
        <SupportCard
          email={support.email}
          title="Still have a question?"
          words="Write to us. Don’t include health details or card numbers."
        />
      </div>
    </ContentPage>
  )
}
