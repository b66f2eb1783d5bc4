import { paths } from '#domain/paths.ts'
import { LinkButton } from '../ui/Button.tsx'
import { SearchBox } from './SearchBox.tsx'

/** A path that leads nowhere, or a medicine that is not there: search, and the two halves of the shop. */
export const NotFoundPage = ({ title }: { title: string }) => (
  <div className="page max-w-2xl py-16 text-center">
    <p className="text-sm font-semibold text-muted">Error 404</p>
    <h1 className="mt-1 text-2xl">{title}</h1>
    <p className="mx-auto mt-3 max-w-prose text-muted">
      The address may be mistyped, or what it named is no longer offered. Search by name, NDC, DIN or UPC, or
      browse.
    </p>
    <div className="mx-auto mt-6 max-w-lg text-start">
      <SearchBox
        landmark="Search from here"
        label="Look for a medicine"
        placeholder="Name, NDC, DIN or UPC"
      />
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
  if (status >= 500) return 'This is on our side. Your cart is kept. Please try again in a moment.'
  return 'Your cart is kept. Please check the address, or go on from here.'
}

/** Something failed: what it was in the documented words, and a way to try again that needs no scripts. */
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
