import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { ContentPage } from '../../components/ContentPage.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import {
  ClipboardCheck,
  Clock,
  Globe,
  Info,
  Mail,
  Package,
  PiggyBank,
  Plane,
  Truck,
  type Icon,
} from '../../ui/icons.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import type { Route } from './+types/shipping'
import {
  domesticMethods,
  internationalMethods,
  longestDelivery,
  stages,
  type ShippingMethod,
} from './shipping-methods.ts'

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Shipping Information',
    description:
      'Domestic delivery in 3-5 or 1-2 business days, free over $50; international delivery to over 100 countries. Tracking, packaging and prescription review.',
  })

export default function Shipping() {
  return (
    <ContentPage
      title="Shipping Information"
      lead="Domestic and international delivery times, and what happens to your order along the way."
    >
      <div className="grid gap-5 md:grid-cols-2">
        <Destination
          id="domestic"
          icon={<Truck className="icon" />}
          title="Domestic Shipping"
          methods={domesticMethods}
          facts={[
            [Clock, 'Orders are processed in 1-2 business days'],
            [PiggyBank, 'Free shipping on orders over $50'],
          ]}
        />
        <Destination
          id="international"
          icon={<Plane className="icon" />}
          title="International Shipping"
          methods={internationalMethods}
          facts={[
            [Globe, 'We ship to over 100 countries'],
            [Info, 'Customs processing may add 1-3 days'],
          ]}
        />
      </div>

      <section className="pt-14" aria-labelledby="stages">
        <h2 id="stages" className="text-xl">
          From Order to Door
        </h2>
        <ol className="mt-6 grid lg:grid-cols-6">
          {stages.map((stage, index) => (
            <Stage key={stage.title} {...stage} last={index === stages.length - 1} />
          ))}
        </ol>
      </section>

      <section className="pt-14" aria-labelledby="good-to-know">
        <h2 id="good-to-know" className="text-xl">
          Good to Know
        </h2>
        <div className="mt-5 grid gap-5 md:grid-cols-3">
          <Note icon={<Mail className="icon" />} title="Order Tracking">
            You receive email updates at each milestone of your order, and a tracking number once it has
            shipped.
          </Note>
          <Note icon={<Package className="icon" />} title="Secure Packaging">
            Every order ships in secure, discreet packaging. Nothing on the outside shows what’s inside.
          </Note>
          <Note icon={<ClipboardCheck className="icon" />} title="Prescription Medications">
            Our pharmacy partners review prescriptions within 24 hours. Your order is processed once the
            prescription is verified.
          </Note>
        </div>
        <p className="mt-8 flex flex-wrap gap-3 print:hidden">
          <LinkButton kind="primary" to={paths.products}>
            Browse Medications
          </LinkButton>
          <LinkButton to={paths.uploadPrescription}>Upload Prescription</LinkButton>
        </p>
      </section>
    </ContentPage>
  )
}

type DestinationProps = {
  id: string
  icon: ReactNode
  title: string
  methods: readonly ShippingMethod[]
  facts: readonly (readonly [icon: Icon, words: string])[]
}

const Destination = ({ id, icon, title, methods, facts }: DestinationProps) => (
  <section className="card flex flex-col p-5 sm:p-6" aria-labelledby={id}>
    <h2 id={id} className="flex items-center gap-3 text-lg">
      <span className="tile size-11 flex-none rounded-full text-primary">{icon}</span>
      {title}
    </h2>
    <table className="mt-5 w-full text-start">
      <caption className="sr-only">{title}: methods and their delivery times</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Method</th>
          <th scope="col">Delivery time</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-y border-line">
        {methods.map(({ name, days }) => (
          <tr key={name}>
            <th scope="row" className="w-28 py-4 pe-3 text-start align-top font-semibold sm:w-36">
              {name}
            </th>
            <td className="py-4">
              <span className="font-semibold text-primary tabular-nums">{days.join('-')} business days</span>
              <DeliveryBar days={days} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <ul className="mt-4 grid gap-2">
      {facts.map(([FactIcon, words]) => (
        <li key={words} className="flex gap-3 text-muted">
          <FactIcon className="icon mt-0.5 text-primary" />
          {words}
        </li>
      ))}
    </ul>
  </section>
)

/** The range of days on a scale shared by all methods, for comparison. */
const DeliveryBar = ({ days: [fewest, most] }: { days: ShippingMethod['days'] }) => (
  <svg
    viewBox={`0 0 ${longestDelivery * 10} 4`}
    preserveAspectRatio="none"
    aria-hidden="true"
    className="mt-2 block h-2 w-full rounded-full"
  >
    <rect width="100%" height="4" className="fill-base-300" />
    <rect x={(fewest - 1) * 10} width={(most - fewest + 1) * 10} height="4" className="fill-primary" />
  </svg>
)

/** A stage: a line connects its dot to the next one. */
const Stage = ({ title, time, words, last }: (typeof stages)[number] & { last: boolean }) => (
  <li className="relative flex gap-4 pb-6 lg:block lg:pe-5 lg:pb-0">
    <span
      aria-hidden="true"
      className="relative z-1 mt-1 size-4 flex-none rounded-full border-4 border-primary bg-base-100 lg:mt-0 lg:block"
    />
    {last ? null : (
      <span
        aria-hidden="true"
        className="absolute start-[7px] top-3 h-full w-0.5 bg-line lg:start-2 lg:top-[7px] lg:h-0.5 lg:w-full"
      />
    )}
    <div className="lg:mt-4">
      <h3 className="leading-snug">{title}</h3>
      <p className="text-sm font-semibold text-primary">{time}</p>
      <p className="mt-1 text-sm text-muted">{words}</p>
    </div>
  </li>
)

const Note = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <div className="card p-5">
    <span className="text-primary">{icon}</span>
    <h3 className="mt-3 text-lg">{title}</h3>
    <p className="mt-1 text-muted">{children}</p>
  </div>
)
