import type { ReactNode } from 'react'

const tones = {
  neutral: 'border-base-content/30 text-base-content',
  primary: 'border-primary/40 text-primary',
  accent: 'border-accent/40 text-accent',
  success: 'border-success/40 text-success',
  warning: 'border-warning/50 text-warning',
  error: 'border-error/40 text-error',
} as const
export type BadgeTone = keyof typeof tones

/** A short fact with an icon and a word, so that it does not rely on color alone. */
export const Badge = ({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
}) => (
  <span
    className={`inline-flex items-center gap-1 rounded-full border bg-base-100 px-2 py-0.5 text-sm font-medium [&_svg]:size-4 ${tones[tone]}`}
  >
    {icon}
    {children}
  </span>
)
