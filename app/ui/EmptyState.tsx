import type { ReactNode } from 'react'

/** Shown in place of an empty list, with what to do next. */
export const EmptyState = ({
  icon,
  title,
  children,
  actions,
}: {
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}) => (
  <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
    {icon ? (
      <span className="tile size-16 rounded-full text-primary [&_svg]:size-7" aria-hidden="true">
        {icon}
      </span>
    ) : null}
    <p className="text-lg font-semibold">{title}</p>
    {children ? <div className="max-w-prose text-balance text-muted">{children}</div> : null}
    {actions ? <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div> : null}
  </div>
)
