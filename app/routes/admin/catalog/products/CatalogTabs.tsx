import { Link } from '../../../../ui/Link.tsx'

const tabs = [
  ['/admin/variants', 'Variants'],
  ['/admin/products', 'Products'],
] as const

/** The two lists of what is sold: each pack and form, and the medicines that they are of. */
export const CatalogTabs = ({ at }: { at: (typeof tabs)[number][0] }) => (
  <nav aria-label="Catalogue" className="mb-3 flex gap-1 print:hidden">
    {tabs.map(([path, name]) => (
      <Link
        key={path}
        to={path}
        className={`btn ${path === at ? 'btn-outline' : 'btn-ghost'}`}
        {...(path === at && { 'aria-current': 'page' as const })}
      >
        {name}
      </Link>
    ))}
  </nav>
)
