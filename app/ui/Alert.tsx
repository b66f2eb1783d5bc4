import type { ReactNode } from 'react'
import { CircleExclamationPoint, CircleCheck, Info } from './icons.tsx'

const kinds = {
  success: { color: 'border-success/50 text-success', Icon: CircleCheck, role: 'status' },
  info: { color: 'border-info/50 text-info', Icon: Info, role: 'status' },
  warning: { color: 'border-warning/60 text-warning', Icon: CircleExclamationPoint, role: 'status' },
  error: { color: 'border-error/60 text-error', Icon: CircleExclamationPoint, role: 'alert' },
} as const

type AlertProps = { kind: keyof typeof kinds; title: string; children?: ReactNode; action?: ReactNode }

/**
 * A message about what happened. Screen readers announce an error at once, anything else politely.
 */
export function Alert({ kind, title, children, action }: AlertProps) {
  const { color, Icon, role } = kinds[kind]
  return (
    <div
      role={role}
      className={`flex flex-wrap items-start gap-3 rounded-box border bg-base-100 p-4 ${color}`}
    >
      <Icon className="icon mt-0.5" />
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="font-semibold">{title}</p>
        {children ? <div className="text-base-content">{children}</div> : null}
      </div>
      {action}
    </div>
  )
}
