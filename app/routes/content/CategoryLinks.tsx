import { paths } from '#domain/paths.ts'
import { Link } from '../../render/Link.tsx'
import { Activity, ArrowRight, ClipboardList, Leaf } from '../../ui/icons.tsx'

const categories = [
  [ClipboardList, 'Prescription Medications', 'With your doctor’s prescription.', 'Rx'],
  [Leaf, 'Wellness & Vitamins', 'Everyday over-the-counter products.', 'OTC'],
  [Activity, 'Health Monitoring', 'Over-the-counter products for tracking your health.', 'OTC'],
] as const

/** The three categories. They log to the console, as documented, and are real links. */
export const CategoryLinks = () => (
  <ul className="grid gap-4 md:grid-cols-3">
    {categories.map(([Icon, title, words, category]) => (
      <li key={title}>
        <Link
          to={paths.productSearch({ category: category })}
          className="card group flex h-full items-center gap-4 p-4 md:max-lg:flex-col md:max-lg:items-start transition-colors hover:border-primary/60"
          onClick={() => console.log(`Category: ${title}`)}
        >
          <span className="tile size-12 flex-none rounded-full text-primary">
            <Icon />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block font-semibold group-hover:text-primary">{title}</span>
            <span className="block text-sm text-pretty text-muted">{words}</span>
          </span>
          <ArrowRight className="icon text-muted md:max-lg:hidden transition-transform group-hover:translate-x-0.5 group-hover:text-primary" />
        </Link>
      </li>
    ))}
  </ul>
)
