import { paths } from '#domain/paths.ts'
import { LinkButton } from '../../ui/Button.tsx'
import shelf from './shelf.svg'
import { ClipboardCheck, Globe, ShieldCheck } from '../../ui/icons.tsx'

const facts = [
  [ShieldCheck, 'Licensed partner pharmacies', 'Each one verified before it ships anything.'],
  [ClipboardCheck, 'Prescriptions reviewed', 'By a pharmacist, typically in 1-2\u00a0business days.'],
  [Globe, 'Over 100 countries', 'Prices in USD, tracked delivery.'],
] as const

/** The home page's hero: the tagline, the two calls to action, and a shelf of products. */
export const Hero = () => (
  <section className="border-b border-line bg-base-200">
    <div className="page grid items-center gap-8 py-10 md:grid-cols-[6fr_5fr] md:gap-6 md:py-14 lg:grid-cols-[1.05fr_1fr]">
      <div>
        <h1 className="text-2xl sm:max-md:text-3xl lg:text-3xl">Your Global Pharmacy Marketplace</h1>
        <p className="mt-4 max-w-[38ch] text-lg text-muted">
          Find a medication by name, NDC, DIN or UPC, compare brands with generics, and order from a licensed
          pharmacy.
        </p>
        <div className="mt-6 flex flex-wrap gap-3 max-[26rem]:*:w-full md:max-lg:*:px-3">
          <LinkButton kind="primary" to={paths.products}>
            Browse Medications
          </LinkButton>
          <LinkButton to={paths.uploadPrescription}>Upload Prescription</LinkButton>
        </div>
      </div>
      {/* Phones neither show nor load the shelf. */}
      <picture className="max-md:hidden">
        <source media="(min-width: 48rem)" srcSet={shelf} />
        <img
          src="data:image/svg+xml,"
          alt=""
          width={580}
          height={340}
          fetchPriority="high"
          className="w-full"
        />
      </picture>
    </div>
    <ul className="page grid gap-x-8 gap-y-4 border-t border-line py-6 sm:grid-cols-3">
      {facts.map(([Icon, title, words]) => (
        <li key={title} className="flex gap-3">
          <Icon className="icon mt-0.5 text-primary" />
          <div>
            <p className="font-semibold">{title}</p>
            <p className="text-sm text-balance text-muted">{words}</p>
          </div>
        </li>
      ))}
    </ul>
  </section>
)
