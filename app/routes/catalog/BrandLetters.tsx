import { brandLetters, type BrandLetter } from '#domain/catalog/brands.ts'
import { Link } from '../../render/Link.tsx'

const cell = 'flex h-11 items-center justify-center rounded-field font-semibold'

/**
 * The alphabet. A letter without brands is shown but not a link. `shown` is null for all brands.
 */
export const BrandLetters = ({
  letters,
  shown,
  hrefOf,
}: {
  letters: readonly BrandLetter[]
  /** Null for all brands, undefined for an unknown letter. */
  shown: BrandLetter | null | undefined
  hrefOf: (letter: BrandLetter | null) => string
}) => (
  <nav aria-label="Brands by letter">
    <ul className="grid grid-cols-7 sm:grid-cols-14 sm:gap-1 xl:grid-cols-28">
      {[null, ...brandLetters].map((letter) => (
        <li key={letter}>
          {letter === null || letters.includes(letter) ? (
            <Link
              to={hrefOf(letter)}
              prefetch="intent"
              {...(shown === letter && { 'aria-current': 'page' as const })}
              aria-label={labelFor(letter)}
              className={`${cell} text-primary hover:bg-base-200 aria-[current=page]:bg-primary aria-[current=page]:text-primary-content`}
            >
              {symbolFor(letter)}
            </Link>
          ) : (
            <span aria-disabled="true" className={`${cell} text-base-content/35`}>
              {symbolFor(letter)}
            </span>
          )}
        </li>
      ))}
    </ul>
  </nav>
)

const symbolFor = (letter: BrandLetter | null): string =>
  letter === null ? 'All' : letter === 'other' ? '#' : letter

const labelFor = (letter: BrandLetter | null): string =>
  letter === null ? 'All brands' : letter === 'other' ? 'Numbers and symbols' : letter
