import { ContentPage } from '../../components/ContentPage.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Clock, Globe } from '../../ui/icons.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import { supportLoader } from '../../http/support-loader.server.ts'
import type { Route } from './+types/careers'
import { jobPostings, type JobPosting } from './job-postings.ts'

export const loader = (args: Route.LoaderArgs) => supportLoader(args)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Join Our Team',
    description:
      'Open positions at Meridian, all remote and full-time: pharmacy operations, customer support, full stack development and compliance.',
  })

export default function Careers({ loaderData: support }: Route.ComponentProps) {
  return (
    <ContentPage
      title="Join Our Team"
      lead="Help people get their medications from pharmacies they can trust. All positions are remote and full-time."
    >
      <section aria-labelledby="positions">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="positions" className="text-xl">
            Open Positions
          </h2>
          <p className="text-muted">{jobPostings.length} open positions</p>
        </div>
        <ul className="mt-5 grid gap-4">
          {jobPostings.map((job) => (
            <Job key={job.title} job={job} email={support.email} />
          ))}
        </ul>
        <p className="mt-8 max-w-prose text-muted">
          To apply, email your resume and a few lines about yourself to{' '}
          <a href={`mailto:${support.email}`} className="text-link break-all">
            {support.email}
          </a>
          , with the position in the subject line. “Apply Now” starts that email for you.
        </p>
      </section>
    </ContentPage>
  )
}

function Job({
  job: { title, department, location, type, description },
  email,
}: {
  job: JobPosting
  email: string
}) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <li className="card grid items-center gap-x-10 gap-y-4 p-5 sm:p-6 md:grid-cols-[1fr_auto]">
      <div>
        <p className="text-sm font-semibold text-primary">{department}</p>
        <h3 id={id} className="mt-0.5 text-lg">
          {title}
        </h3>
        <p className="mt-2 max-w-prose text-muted">{description}</p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Badge icon={<Globe />}>{location}</Badge>
          <Badge icon={<Clock />}>{type}</Badge>
        </p>
      </div>
      <a
        href={`mailto:${email}?subject=${encodeURIComponent(title)}`}
        aria-describedby={id}
        className="btn btn-primary print:hidden"
      >
        Apply Now
      </a>
    </li>
  )
}
