import type { ReactNode } from 'react'

type AdminPageProps = {
  title: string
  /** Beside the title: what one comes to do. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the back office: its title, what one comes to do, and the rest. */
export const AdminPage = ({ title, actions, children }: AdminPageProps) => (
  <>
    <title>{`${title} | Meridian`}</title>
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <h1>{title}</h1>
      <div className="ms-auto flex flex-wrap gap-2 print:hidden">{actions}</div>
    </div>
    {children}
  </>
)
