import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { ContentPage } from '../../components/ContentPage.tsx'
import shelf from './shelf.svg'
import { LinkButton } from '../../ui/Button.tsx'
import { CircleUser, ClipboardCheck, Globe, ShieldCheck, ShoppingBag, Truck, Users } from '../../ui/icons.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import type { Route } from './+types/about'

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'About Meridian',
    description:
      'Meridian is a marketplace of licensed partner pharmacies: our mission, where we deliver, and how we verify pharmacies.',
  })

const parties = [
  [
    CircleUser,
    'You',
    'Find a medication by name, NDC, DIN or UPC, and upload the prescription if it needs one.',
  ],
  [
    ShoppingBag,
    'Meridian',
    'Takes your order and payment, passes on the prescription, and keeps you informed.',
  ],
  [ClipboardCheck, 'A partner pharmacy', 'Verifies the prescription, dispenses the medication and packs it.'],
  [Truck, 'The carrier', 'Delivers it to your door with a tracking number.'],
] as const

export default function About() {
  return (
    <ContentPage
      title="About Meridian"
      lead="An online marketplace that connects people worldwide with licensed pharmacies."
    >
      <section
        aria-labelledby="mission"
        className="grid items-center gap-x-14 gap-y-8 md:grid-cols-[1.1fr_1fr]"
      >
        <div>
          <h2 id="mission" className="text-sm font-semibold tracking-normal text-primary">
            Our Mission
          </h2>
          <p className="mt-3 text-xl leading-snug font-medium text-balance">
            To give people everywhere access to the medications they need, from pharmacies they can trust,
            with the facts they need to decide.
          </p>
          <p className="mt-4 text-muted">
            That’s why each product page shows what a medication is, who makes it, what a single tablet costs,
            and whether a generic costs less.
          </p>
        </div>
        <div className="tile rounded-box p-6">
          <img src={shelf} alt="" width={580} height={340} className="w-full" />
        </div>
      </section>

      <div className="grid gap-x-14 pt-14 md:grid-cols-2">
        <Principle icon={<Globe />} id="reach" title="Global Reach">
          We serve customers in the US, UK, Australia and more, and deliver to over 100 countries. Prices are
          in US dollars everywhere.
        </Principle>
        <Principle icon={<ShieldCheck />} id="partners" title="Verified Partners">
          Every pharmacy holds a license. We verify it before the pharmacy can ship through Meridian, and we
          keep it on file with its expiry date.
        </Principle>
        <Principle icon={<ShoppingBag />} id="range" title="OTC and Prescription">
          Find over-the-counter and prescription medications in one place, clearly marked. Prescription items
          ship only after a pharmacy has verified the prescription.
        </Principle>
        <Principle icon={<Users />} id="customers" title="Customer First">
          Plain language, your order total before you pay, privacy by design, and people who answer when you
          write to us.
        </Principle>
      </div>

      <section aria-labelledby="together" className="pt-14">
        <h2 id="together" className="text-xl">
          Who Does What
        </h2>
        <p className="mt-2 max-w-prose text-muted">
          Meridian is a marketplace and holds no stock of its own. Medications come from the pharmacy that
          dispenses them.
        </p>
        <ol className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {parties.map(([Icon, title, words], index) => (
            <li key={title} className="card p-5">
              <p className="flex items-center justify-between text-primary">
                <Icon />
                <span className="text-sm font-semibold text-muted tabular-nums">{index + 1}</span>
              </p>
              <h3 className="mt-3">{title}</h3>
              <p className="mt-1 text-muted">{words}</p>
            </li>
          ))}
        </ol>
        <p className="mt-8 flex flex-wrap gap-3 print:hidden">
          <LinkButton kind="primary" to={paths.products}>
            Browse Medications
          </LinkButton>
          <LinkButton to={paths.careers}>Join Our Team</LinkButton>
        </p>
      </section>
    </ContentPage>
  )
}

type PrincipleProps = { icon: ReactNode; id: string; title: string; children: ReactNode }

const Principle = ({ icon, id, title, children }: PrincipleProps) => (
  <section aria-labelledby={id} className="flex gap-4 border-t border-line py-6">
    <span className="tile size-11 flex-none rounded-full text-primary">{icon}</span>
    <div className="min-w-0">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <p className="mt-1 text-muted">{children}</p>
    </div>
  </section>
)
