import type { ReactNode } from 'react'

type AdminPageProps = {
  title: string
  /** The page's main actions, beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A back-office page with its title and main actions. */
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
