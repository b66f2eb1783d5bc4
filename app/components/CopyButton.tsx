import { useState } from 'react'
import { useHydrated } from '../ui/use-hydrated.ts'
import { Check, Copy } from '../ui/icons.tsx'

/** Puts a code on the clipboard; only where scripts run and the browser lets them. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const hydrated = useHydrated()
  const [copied, setCopied] = useState(false)
  // No clipboard on plain http, but on loopback.
  if (hydrated && !navigator.clipboard) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      (error: unknown) => console.warn('The browser refused the clipboard.', error),
    )
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square btn-sm noscript:hidden"
        // Its place is kept from the first paint on.
        disabled={!hydrated}
        aria-label={`Copy ${label}`}
        onClick={() => void copy()}
      >
        {copied ? <Check className="size-4 text-success" /> : <Copy className="size-4" />}
      </button>
      <span role="status" className="sr-only">
        {copied ? `${label} copied` : ''}
      </span>
    </>
  )
}
