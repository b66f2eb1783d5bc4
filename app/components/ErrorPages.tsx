import { paths } from '#domain/paths.ts'
import { LinkButton } from '../ui/Button.tsx'
import { SearchBox } from './SearchBox.tsx'

/** A missing page or product: offers search and the two categories. */
export const NotFoundPage = ({ title }: { title: string }) => (
  <div className="page max-w-2xl py-16 text-center">
    <h1 className="mt-1 text-2xl">{title}</h1>
    <p className="mx-auto mt-3 max-w-prose text-muted">
      Check the address, or search for a medication by name, NDC, DIN or UPC.
    </p>
    <div className="mx-auto mt-6 max-w-lg text-start">
      <SearchBox landmark="Search this site" label="Find a medication" placeholder="Name, NDC, DIN or UPC" />
    </div>
    <div className="mt-6 flex flex-wrap justify-center gap-3">
      <LinkButton to={paths.productSearch({ category: 'Rx' })}>Prescription medications</LinkButton>
      <LinkButton to={paths.productSearch({ category: 'OTC' })}>Over-the-counter medications</LinkButton>
    </div>
  </div>
)

function adviceFor(status: number): string {
  if (status === 0)
    return 'We couldn’t connect to the server. Check your connection and try again. Your cart is saved.'
  if (status >= 500) return 'Something went wrong on our end. Your cart is saved. Try again in a moment.'
  return 'Check the address and try again. Your cart is saved.'
}

/** A failed page: the documented message, and a way to try again that works without scripts. */
export const ErrorPage = ({ status, title, path }: { status: number; title: string; path: string }) => (
  <div className="page max-w-2xl py-16 text-center">
    {status > 0 ? <p className="text-sm font-semibold text-muted">Error {status}</p> : null}
    <h1 className="mt-1 text-2xl">{title}</h1>
    <p className="mx-auto mt-3 max-w-prose text-muted">{adviceFor(status)}</p>
    <div className="mt-6 flex flex-wrap justify-center gap-3">
      <LinkButton kind="primary" to={path} reloadDocument>
        Try again
      </LinkButton>
      <LinkButton to={paths.products}>Browse Medications</LinkButton>
    </div>
  </div>
)
