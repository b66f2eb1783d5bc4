import { adminPaths } from '#domain/admin-paths.ts'
import { Link } from '../../../../render/Link.tsx'

const tabs = [
  [adminPaths.variants, 'By variant'],
  [adminPaths.products, 'By product'],
] as const

/** Links between the two catalog lists: variants, and the products they belong to. */
export const CatalogTabs = ({ current }: { current: (typeof tabs)[number][0] }) => (
  <nav aria-label="Catalog" className="tab-links mb-3">
    {tabs.map(([path, name]) => (
      <Link key={path} to={path} {...(path === current && { 'aria-current': 'page' as const })}>
        {name}
      </Link>
    ))}
  </nav>
)
