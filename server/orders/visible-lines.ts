import { can } from '#domain/accounts/permissions.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'

/** A prescription line for staff who may not see which medicine it is. */
const hideMedicine = (line: OrderLine): OrderLine =>
  line.product.category !== 'Rx'
    ? line
    : {
        ...line,
        productVariantId: '',
        product: { id: '', name: 'Prescription medicine', category: 'Rx' },
        variant: {
          brandName: null,
          strength: '',
          strengthUnit: '',
          dosageForm: null,
          packageSize: 1,
          packageUnit: '',
        },
      }

/**
 * An order's lines as the signed-in user may see them: its customer sees all, staff without
 * `orders.medicines` see no prescription medicine.
 */
export const visibleLines = (
  { user }: Pick<Context, 'user'>,
  { userId }: { userId: string | null },
  lines: readonly OrderLine[],
): OrderLine[] =>
  user === null || user.id === userId || can(user, 'orders.medicines') ? [...lines] : lines.map(hideMedicine)
