import { Badge } from '../../../ui/Badge.tsx'

/** A stock quantity. Above 0 it is a default badge, otherwise a destructive one (specification). */
export const StockBadge = ({ quantity }: { quantity: number }) => (
  <Badge tone={quantity > 0 ? 'neutral' : 'error'}>{quantity.toLocaleString('en-US')}</Badge>
)
