import type { Product } from '#domain/catalog/catalog.ts'
import { Badge } from '../ui/Badge.tsx'
import { Ban, ClipboardList, ShoppingBag } from '../ui/icons.tsx'

/** Prescription or over the counter, by icon and word. `long` spells it out. */
export const CategoryBadge = ({ category, long = false }: { category: string; long?: boolean }) =>
  category === 'Rx' ? (
    <Badge tone="primary" icon={<ClipboardList />}>
      {long ? 'Prescription required (Rx)' : 'Rx'}
    </Badge>
  ) : (
    <Badge icon={<ShoppingBag />}>{long ? 'No prescription required (OTC)' : 'OTC'}</Badge>
  )

/** Controlled substances are shown but never sold. */
export const ControlledBadge = ({ product }: { product: Pick<Product, 'controlledSchedule'> }) =>
  product.controlledSchedule ? (
    <Badge tone="warning" icon={<Ban />}>
      Not available online
    </Badge>
  ) : null
