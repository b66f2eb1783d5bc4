import { adminPaths } from '#domain/admin-paths.ts'
import { Link } from '../../../render/Link.tsx'

const tabs = [
  [adminPaths.api, 'Calls'],
  [adminPaths.webhooks, 'Webhooks'],
  [adminPaths.apiKeys, 'API keys'],
] as const

/** Links between the pages for programmers. */
export const ApiTabs = ({ current }: { current: (typeof tabs)[number][0] }) => (
  <nav aria-label="API" className="tab-links mb-3">
    {tabs.map(([path, name]) => (
      <Link key={path} to={path} {...(path === current && { 'aria-current': 'page' as const })}>
        {name}
      </Link>
    ))}
  </nav>
)
