import { listCheckedLists } from '#server/alerts/list-checked-lists.ts'
import { paths } from '#domain/paths.ts'
import { ContentPage } from '../../components/ContentPage.tsx'
import { pageLoader } from '../../http/page-loader.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Link } from '../../render/Link.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import type { Route } from './+types/how-we-check'
import { attributions, checks, limits, listUses } from './how-we-check-texts.ts'

/** The lists that the page explains, with their dates and sizes. */
export const loader = pageLoader(async ({ context }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  return { lists: await listCheckedLists(ctx, Object.keys(listUses)) }
})

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'How we check',
    description:
      'Which open lists Meridian compares an order with: interactions, allergies, labels, recalls. Their dates, their sources, and what they cannot do.',
  })

export default function HowWeCheck({ loaderData: { lists } }: Route.ComponentProps) {
  return (
    <ContentPage
      title="How We Check"
      lead="What we compare your order with, where the data comes from, and what it can’t tell you."
    >
      <div className="grid items-start gap-5 md:grid-cols-2">
        <section aria-labelledby="checks" className="card p-5 sm:p-6">
          <h2 id="checks" className="text-lg">
            What We Look For
          </h2>
          <p className="mt-4">
            We compare the medicines in your cart with each other, with the medicines and allergies on your
            record, and with what we dispensed to you:
          </p>
          <Points points={checks} />
        </section>
        <section aria-labelledby="no-entry" className="card p-5 sm:p-6">
          <h2 id="no-entry" className="text-lg">
            What “No Entry Found” Means
          </h2>
          <p className="mt-4">
            When we find nothing, we say “No entry found in the lists we check”. The lists are incomplete, so
            this never means that a medicine is right for you. Ask a pharmacist or your doctor.
          </p>
          <p className="mt-4">
            A pharmacist checks every prescription medicine before it ships and decides on each serious alert.
          </p>
          <p className="mt-4">
            Your medications and allergies are encrypted. Every check that opens them appears in your{' '}
            <Link to={paths.account.activity} className="text-link">
              account activity
            </Link>
            . You can update them in your{' '}
            <Link to={paths.profile} className="text-link">
              profile
            </Link>
            .
          </p>
        </section>
      </div>

      <section aria-labelledby="lists" className="pt-14">
        <h2 id="lists" className="text-xl">
          The Lists
        </h2>
        <ul className="mt-5 grid border-t border-line md:grid-cols-2 md:gap-x-12">
          {lists.map(({ name, source, date, rowCount }) => (
            <li key={name} className="border-b border-line py-4">
              <p className="font-semibold">{listUses[name]}</p>
              <p>
                {date ?? 'Date unknown'}, {rowCount.toLocaleString('en-US')} entries
              </p>
              <p className="text-sm text-muted">{source}</p>
            </li>
          ))}
        </ul>
        {lists.length === 0 ? <p className="mt-4">No list is loaded, so nothing is checked.</p> : null}
      </section>

      <section aria-labelledby="limits" className="max-w-[70ch] pt-14">
        <h2 id="limits" className="text-xl">
          What the Lists Can’t Do
        </h2>
        <Points points={limits} />
      </section>

      <section aria-labelledby="sources" className="max-w-[70ch] pt-14">
        <h2 id="sources" className="text-xl">
          Sources and Licenses
        </h2>
        {attributions.map((sentence) => (
          <p key={sentence} className="mt-4 text-muted">
            {sentence}
          </p>
        ))}
      </section>
    </ContentPage>
  )
}

const Points = ({ points }: { points: readonly string[] }) => (
  <ul className="mt-4 list-disc space-y-2 ps-5 marker:text-primary">
    {points.map((point) => (
      <li key={point}>{point}</li>
    ))}
  </ul>
)
