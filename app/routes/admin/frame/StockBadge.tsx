import { Badge } from '../../../ui/Badge.tsx'

/** A stock quantity: above 0 a default badge, otherwise a destructive one (specification, section 4). */
export const StockBadge = ({ quantity }: { quantity: number }) => (
  <Badge tone={quantity > 0 ? 'neutral' : 'error'}>{quantity.toLocaleString('en-US')}</Badge>
)
