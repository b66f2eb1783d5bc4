import { Button } from './Button.tsx'
import { Printer } from './icons.tsx'
import { useHydrated } from './use-hydrated.ts'

/** Prints the page. Hidden without JavaScript and on paper. */
export function PrintButton() {
  const hydrated = useHydrated()
  return (
    <Button
      type="button"
      kind="primary"
      className="ms-auto print:hidden noscript:hidden"
      disabled={!hydrated}
      onClick={() => window.print()}
    >
      <Printer /> Print
    </Button>
  )
}
