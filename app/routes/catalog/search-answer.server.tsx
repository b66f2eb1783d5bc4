import { paths } from '#domain/paths.ts'
import type { EmergencyKind } from '#domain/search/emergency-phrases.ts'
import type { NeedClass } from '#domain/search/needs.ts'
import type { ProductSearchResult } from '#server/search/search-products.ts'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Disclosure } from '../../ui/Disclosure.tsx'

/**
 * The card above the results, as HTML: whom to call, or the classes that a lay term was answered
 * with. It has no behavior, so no page loads code for it. Null for all other searches.
 */
export function renderSearchAnswer({
  need,
  emergency,
}: Pick<ProductSearchResult, 'need' | 'emergency'>): string | null {
  if (emergency) return renderToStaticMarkup(<EmergencyCard kind={emergency} />)
  return need && renderToStaticMarkup(<ClassCard {...need} />)
}

const Call = ({ number, children }: { number: string; children: ReactNode }) => (
  <a href={`tel:${number}`} className="btn btn-primary mt-3 me-3">
    {children}
  </a>
)

const EmergencyCard = ({ kind }: { kind: EmergencyKind }) => {
  const { title, text, calls } = help[kind]
  return (
    <section aria-labelledby="help" className={`card p-5 ${kind === 'animal' ? '' : 'border-error'}`}>
      <h2 id="help" className={`text-lg ${kind === 'animal' ? '' : 'text-error'}`}>
        {title}
      </h2>
      <p className="mt-1">{text}</p>
      {calls ? <p>{calls}</p> : null}
      <p className="mt-3 text-sm text-muted">
        We don’t show medicines for this search. To find a medicine, search for its name only.
      </p>
    </section>
  )
}

const emergencyCall = <Call number="911">Call 911 (US, Canada)</Call>

const help: Readonly<Record<EmergencyKind, { title: string; text: string; calls?: ReactNode }>> = {
  emergency: {
    title: 'This could be an emergency',
    text: 'If you or someone else has this now, call your local emergency number, 911 in the US and Canada. Do not wait for a medicine.',
    calls: emergencyCall,
  },
  crisis: {
    title: 'You can talk to someone now',
    text: 'Call or text 988, the suicide and crisis line in the US and Canada, at any time. In another country, or if a life is in danger, call your local emergency number, 911 in the US and Canada.',
    calls: (
      <>
        <Call number="988">Call 988</Call>
        {emergencyCall}
      </>
    ),
  },
  animal: {
    title: 'These medicines are for people',
    text: 'Medicines for people, and their doses, can harm animals. Ask a veterinarian before you give an animal anything.',
  },
  poison: {
    title: 'Get help for a poisoning or an overdose now',
    text: 'If someone collapsed, has a seizure, has trouble breathing or can’t be awakened, call your local emergency number, 911 in the US and Canada. Otherwise call Poison Help, 1-800-222-1222 in the US, or your local poison center. Do not wait until someone feels ill. If it was on purpose, call or text 988 in the US and Canada.',
    calls: (
      <>
        {emergencyCall}
        <Call number="18002221222">Poison Help: 1-800-222-1222</Call>
      </>
    ),
  },
}

/** More than these are folded. */
const maxNamed = 2

const ClassCard = ({ term, classes }: { term: string; classes: readonly NeedClass[] }) => {
  const names = [...new Set(classes.map(({ name }) => name))]
  const named = names.slice(0, names.length > maxNamed + 1 ? maxNamed : names.length)
  const others = names.length - named.length
  const list = [...named.map((name) => `“${name}”`), ...(others > 0 ? [`${others} others`] : [])]
  return (
    <section aria-labelledby="classes" className="card p-5">
      <h2 id="classes" className="text-lg wrap-anywhere">
        Medicines in the {names.length === 1 ? 'class' : 'classes'}{' '}
        {new Intl.ListFormat('en-US').format(list)}
      </h2>
      {others > 0 ? (
        <Disclosure summary={`All ${names.length} classes`}>
          <ul className="list-disc ps-5">
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
      <p className="mt-1 text-sm text-muted">
        {reviewLabel(term, classes)} This is not advice: these medicines may not be right for you. Ask your
        doctor or{' '}
        <a href={paths.contact} className="text-link">
          our pharmacists
        </a>
        . Medicines without a prescription come first.
      </p>
    </section>
  )
}

function reviewLabel(term: string, classes: readonly NeedClass[]): string {
  const reviewers = [...new Set(classes.flatMap(({ reviewer }) => reviewer ?? []))]
  if (reviewers.length === 0) return `No pharmacist has reviewed yet which classes belong to “${term}”.`
  const names = new Intl.ListFormat('en-US').format(reviewers)
  return classes.every(({ reviewer }) => reviewer !== null)
    ? `${names} reviewed which classes belong to “${term}”.`
    : `${names} reviewed some of the classes for “${term}”. No pharmacist has reviewed the others yet.`
}
