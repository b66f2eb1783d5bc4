import { paths } from '#domain/paths.ts'
import { memo } from 'react'
import { contentOf } from '../render/fragments.tsx'
import { Link } from '../render/Link.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { LogoMark } from './Logo.tsx'
import { Award, Globe, Lock, ShieldCheck } from '../ui/icons.tsx'

type Column = {
  title: string
  /** Some documented links have no page (docs/settled-decisions.md, "Footer links"). */
  links: readonly (readonly [to: string, words: string, prefetch?: 'none' | 'intent'])[]
}

const columns: readonly Column[] = [
  {
    title: 'Shop',
    links: [
      [paths.otc, 'OTC Medications', 'none'],
      [paths.prescription, 'Prescription Medications', 'none'],
      [paths.brands, 'Shop by Brand'],
    ],
  },
  {
    title: 'Help',
    links: [
      [paths.contact, 'Contact Us'],
      [paths.faq, 'FAQ'],
      [paths.shipping, 'Shipping Information'],
    ],
  },
  {
    title: 'Legal',
    links: [
      [paths.privacy, 'Privacy Policy'],
      [paths.terms, 'Terms of Service'],
      [paths.hipaa, 'HIPAA Compliance'],
    ],
  },
  {
    title: 'Company',
    links: [
      [paths.about, 'About'],
      [paths.careers, 'Careers'],
      [paths.blog, 'Blog'],
    ],
  },
]

const trustBadges = [
  [ShieldCheck, 'Verified Pharmacies'],
  [Lock, 'Secure Platform'],
  [Globe, 'Global Delivery'],
  [Award, 'Quality Medications'],
] as const

/**
 * The shared footer: the documented links and badges, and the credits that the data licenses
 * require.
 */
export const SiteFooter = memo(function SiteFooter() {
  return <footer className="mt-16 border-t border-line bg-base-200" {...contentOf(FooterContent, {})} />
})

function FooterContent() {
  return (
    <>
      <div className="page grid gap-10 py-10 lg:grid-cols-[1fr_2.25fr]">
        <div>
          <p className="flex items-center gap-2 text-lg font-bold tracking-tight">
            <LogoMark className="size-8" />
            Meridian
          </p>
          <p className="mt-2 text-muted">Order from licensed partner pharmacies in one place.</p>
          <ul className="mt-5 grid gap-2 sm:grid-cols-2 lg:grid-cols-1">
            {trustBadges.map(([Icon, words]) => (
              <li key={words} className="flex items-center gap-2 text-sm font-medium">
                <Icon className="icon text-primary" />
                {words}
              </li>
            ))}
          </ul>
        </div>
        <nav
          aria-label="Footer"
          className="footer-links grid gap-x-6 gap-y-8 sm:grid-cols-[3fr_2.5fr_2.5fr_1.5fr]"
        >
          {columns.map(({ title, links }) => (
            <div key={title}>
              <h2 className="text-sm font-semibold text-muted">{title}</h2>
              <ul className="mt-2">
                {links.map(([to, words, prefetch = 'intent']) => (
                  <li key={to}>
                    <Link
                      to={to}
                      prefetch={prefetch}
                      className="inline-flex min-h-11 items-center leading-snug hover:text-primary hover:underline lg:min-h-9"
                    >
                      {words}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="page border-t border-line py-5 text-sm text-muted">
        <p>Contains information licensed under the Open Government Licence – Canada. Prices are in USD.</p>
        <Disclosure summary="Where our medicine data comes from" className="mt-1 w-fit max-w-prose">
          <ul className="list-disc space-y-1 ps-5 pb-3">
            <li>US medicine data: FDA National Drug Code Directory and openFDA, public domain (CC0).</li>
            <li>
              Canadian medicine data: Health Canada Drug Product Database, under the{' '}
              <a href="https://open.canada.ca/en/open-government-licence-canada" className="text-link">
                Open Government Licence – Canada
              </a>
              .
            </li>
            <li>
              Demo prices are derived from NADAC, Centers for Medicare &amp; Medicaid Services (CMS), matched
              to drug names by Agastya Dhar (costplus-arbitrage), under{' '}
              <a href="https://creativecommons.org/licenses/by/4.0/" className="text-link">
                CC BY 4.0
              </a>
              .
            </li>
            <li>Illustrations are generated from this data. Not for clinical use.</li>
          </ul>
        </Disclosure>
      </div>
    </>
  )
}
