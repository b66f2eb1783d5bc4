import { paths } from '#domain/paths.ts'
import { Link } from '../../../../render/Link.tsx'

const tabs = [
  [paths.admin.variants, 'Variants'],
  [paths.admin.products, 'Products'],
] as const

/** Links between the two catalog lists: variants, and the products they belong to. */
export const CatalogTabs = ({ current }: { current: (typeof tabs)[number][0] }) => (
  <nav aria-label="Catalog" className="mb-3 flex gap-1 print:hidden">
    {tabs.map(([path, name]) => (
      <Link
        key={path}
        to={path}
        className={`btn ${path === current ? 'btn-outline' : 'btn-ghost'}`}
        {...(path === current && { 'aria-current': 'page' as const })}
      >
        {name}
      </Link>
    ))}
  </nav>
)
