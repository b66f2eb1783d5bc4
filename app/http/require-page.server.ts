import type { RouterContextProvider } from 'react-router'
import { redirectWithToast } from './redirect-with-toast.server.ts'
import { readPageNumber } from './search-params.server.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider> }

/**
 * Redirects from a page past the end of a list to the last one, with a toast. Otherwise the address
 * would name another page than the one that it shows. A list of no pages shows that it is empty.
 */
export async function requirePage(args: Args, last: number): Promise<void> {
  const page = readPageNumber(args.request)
  if (last < 1 || page <= last) return
  const { pathname, searchParams } = new URL(args.request.url)
  searchParams.set('page', String(last))
  const path = `${pathname}?${searchParams.toString()}`
  throw await redirectWithToast(
    args,
    path,
    {
      kind: 'info',
      title: `There’s no page ${page.toLocaleString('en-US')}`,
      text: `Page ${last.toLocaleString('en-US')} is the last.`,
    },
    { status: 302 },
  )
}
