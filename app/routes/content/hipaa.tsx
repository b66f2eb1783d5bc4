import { paths } from '#domain/paths.ts'
import { ContentPage } from '../../components/ContentPage.tsx'
import { ClipboardList, KeyRound, Lock, Mail, ShieldCheck, Users } from '../../ui/icons.tsx'
import { Link } from '../../render/Link.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import { supportLoader } from '../../http/support-loader.server.ts'
import type { Route } from './+types/hipaa'
import { healthRights, noticeOfPrivacyPractices, safeguards } from './hipaa-safeguards.ts'

export const loader = (args: Route.LoaderArgs) => supportLoader(args)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'HIPAA Compliance',
    description:
      'How Meridian protects health information: encryption, access controls, business associates, your rights and the privacy officer.',
  })

const parts = [
  ...safeguards,
  { id: 'your-rights', title: 'Your Rights' },
  { id: 'notice-of-privacy-practices', title: 'Notice of Privacy Practices' },
]

const icons = [ClipboardList, Lock, KeyRound, Users]

export default function Hipaa({ loaderData: support }: Route.ComponentProps) {
  return (
    <ContentPage
      title="HIPAA Compliance"
      lead="Meridian is HIPAA-aware: health information is treated as protected from the moment you enter it, and health data is encrypted."
      aside={<OfficerCard email={support.email} />}
    >
      <nav aria-label="On this page" className="mb-8 border-b border-line pb-4 print:hidden">
        <ul className="flex flex-wrap gap-x-6 max-sm:flex-col">
          {parts.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} className="text-link inline-flex min-h-11 items-center">
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid gap-5 md:grid-cols-2">
        {safeguards.map(({ id, title, text, points }, index) => {
          const Icon = icons[index] ?? ShieldCheck
          return (
            <section key={id} aria-labelledby={id} className="card break-inside-avoid p-5 sm:p-6">
              <h2 id={id} className="flex items-center gap-3 text-lg">
                <span className="tile size-11 flex-none rounded-full text-primary">
                  <Icon />
                </span>
                <a href={`#${id}`} className="hover:underline">
                  {title}
                </a>
              </h2>
              <p className="mt-4">{text}</p>
              <ul className="mt-3 list-disc space-y-1 ps-5 text-muted marker:text-primary">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>

      <section aria-labelledby="your-rights" className="pt-14">
        <h2 id="your-rights" className="text-xl">
          <a href="#your-rights" className="hover:underline">
            Your Rights
          </a>
        </h2>
        <p className="mt-2 max-w-prose text-muted">
          The HIPAA Privacy Rule gives you these rights over your health information. Each number refers to a
          section of 45 CFR.
        </p>
        <dl className="mt-5 grid border-t border-line md:grid-cols-2 md:gap-x-12">
          {healthRights.map(({ right, words, source }) => (
            <div key={right} className="break-inside-avoid border-b border-line py-4">
              <dt className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
                {right}
                <span className="font-mono text-sm font-normal text-muted">{source}</span>
              </dt>
              <dd className="text-muted">{words}</dd>
            </div>
          ))}
        </dl>
      </section>

      <section
        aria-labelledby="notice-of-privacy-practices"
        className="grid items-start gap-x-14 gap-y-8 pt-14 lg:grid-cols-[minmax(0,70ch)_1fr]"
      >
        <div>
          <h2 id="notice-of-privacy-practices" className="text-xl">
            <a href="#notice-of-privacy-practices" className="hover:underline">
              Notice of Privacy Practices
            </a>
          </h2>
          {noticeOfPrivacyPractices.map((paragraph) => (
            <p key={paragraph} className="mt-4">
              {paragraph}
            </p>
          ))}
        </div>
        <aside aria-label="What HIPAA-aware means" className="card break-inside-avoid bg-base-200 p-5 sm:p-6">
          <ShieldCheck className="icon text-primary" />
          <p className="mt-3 font-semibold">What HIPAA-aware means</p>
          <p className="mt-1 text-muted">
            This page describes how the marketplace is built and run. No government agency certifies websites
            as HIPAA compliant, and we don’t claim such a certification.
          </p>
          <p className="mt-3">
            <Link to={paths.howWeCheck} className="text-link">
              How we check your order
            </Link>
          </p>
        </aside>
      </section>
    </ContentPage>
  )
}

const OfficerCard = ({ email }: { email: string }) => (
  <aside aria-label="Privacy officer" className="card w-full p-5 sm:w-auto">
    <p className="flex items-center gap-2 font-semibold">
      <Mail className="icon text-primary" />
      Privacy Officer
    </p>
    <p className="mt-1 text-muted">For requests and complaints about PHI</p>
    <a href={`mailto:${email}`} className="text-link mt-1 inline-flex min-h-11 items-center break-all">
      {email}
    </a>
  </aside>
)
