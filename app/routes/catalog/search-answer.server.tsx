import { paths } from '#domain/paths.ts'
import { helpFor } from '#domain/search/emergency-help.ts'
import type { Emergency } from '#domain/search/emergency-terms.ts'
import type { NeedClass } from '#domain/search/needs.ts'
import type { ProductSearchResult } from '#server/search/search-products.ts'
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
  if (emergency) return renderToStaticMarkup(<EmergencyCard {...emergency} />)
  return need && renderToStaticMarkup(<ClassCard {...need} />)
}

const EmergencyCard = ({ kind, language }: Emergency) => {
  const { title, text, calls, note } = helpFor(kind, language)
  return (
    <section
      lang={language}
      aria-labelledby="help"
      className={`card p-5 ${kind === 'animal' ? '' : 'border-error'}`}
    >
      <h2 id="help" className={`text-lg ${kind === 'animal' ? '' : 'text-error'}`}>
        {title}
      </h2>
      <p className="mt-1">{text}</p>
      {calls.length > 0 ? (
        <p>
          {calls.map(({ number, label }) => (
            <a key={number} href={`tel:${number}`} className="btn btn-primary mt-3 me-3">
              {label}
            </a>
          ))}
        </p>
      ) : null}
      <p className="mt-3 text-sm text-muted">{note}</p>
    </section>
  )
}

/** More than these are folded. */
const maxNamed = 2

const ClassCard = ({ term, classes, forChild }: NonNullable<ProductSearchResult['need']>) => {
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
        {forChild
          ? ' Only medicines that have a label for children are shown. Ask which one and which dose suit your child’s age and weight.'
          : null}
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
