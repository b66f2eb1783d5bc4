import type { ReactNode } from 'react'

/** A keyboard shortcut, shown in its button. */
export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-sm border border-current px-1 font-mono text-sm font-normal noscript:hidden pointer-coarse:hidden">
    {children}
  </kbd>
)
