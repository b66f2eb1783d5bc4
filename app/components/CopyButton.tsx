import { useState } from 'react'
import { useHydrated } from '../ui/use-hydrated.ts'
import { Check, Copy } from '../ui/icons.tsx'

/** Copies an identifier to the clipboard, where scripts run and the browser allows it. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const hydrated = useHydrated()
  const [copied, setCopied] = useState(false)
  // Browsers offer no clipboard on plain http, except on loopback.
  if (hydrated && !navigator.clipboard) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      (error: unknown) => console.warn('The browser blocked clipboard access.', error),
    )
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square btn-sm noscript:hidden"
        // Rendered from the first paint on, so that nothing moves when scripts start.
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
