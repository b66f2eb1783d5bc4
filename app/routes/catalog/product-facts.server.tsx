import type { Product } from '#domain/catalog/catalog.ts'
import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { renderStatic } from '../../render/fragment-cache.server.ts'
import { ClipboardList, ShoppingBag, Truck, Undo2 } from '../../ui/icons.tsx'

type ProductFactsProps = {
  product: Pick<Product, 'category' | 'controlledSchedule'>
  pharmacy: { name: string; country: string; licenseNumber: string } | null
  /** The delivery time, in a sentence. */
  delivery: string
}

const Fact = ({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) => (
  <li className="flex gap-3 py-3 [&_svg]:mt-0.5 [&_svg]:text-primary">
    {icon}
    <div>
      <p className="font-medium">{title}</p>
      {children ? <p className="text-sm text-muted">{children}</p> : null}
    </div>
  </li>
)

/**
 * What to know before buying, next to the button, as HTML: the browser needs no code for it.
 * Without delivery facts for products that are not sold.
 */
export const renderProductFacts = (facts: ProductFactsProps): string => renderStatic(ProductFacts, facts)

const ProductFacts = ({ product, pharmacy, delivery }: ProductFactsProps) => (
  <>
    {product.category === 'Rx' ? (
      <Fact icon={<ClipboardList />} title="Prescription required">
        {product.controlledSchedule ? null : (
          <>
            <a href={paths.uploadPrescription} className="text-link">
              Upload a prescription
            </a>{' '}
            before you check out. Pharmacy review typically takes{' '}
            <span className="whitespace-nowrap">1-2 business days</span>.
          </>
        )}
      </Fact>
    ) : (
      <Fact icon={<ShoppingBag />} title="No prescription required">
        Sold over the counter.
      </Fact>
    )}
    {product.controlledSchedule ? null : <Delivery pharmacy={pharmacy} delivery={delivery} />}
  </>
)

const Delivery = ({ pharmacy, delivery }: Pick<ProductFactsProps, 'pharmacy' | 'delivery'>) => (
  <>
    <Fact
      icon={<Truck />}
      title={
        pharmacy
          ? `Ships from ${pharmacy.name}, ${pharmacy.country}`
          : 'Ships from a verified partner pharmacy'
      }
    >
      {pharmacy ? `License ${pharmacy.licenseNumber}. ` : ''}
      {delivery} Delivery is free.
    </Fact>
    <Fact icon={<Undo2 />} title="Medications cannot be returned">
      Orders that have not shipped can be refunded.
    </Fact>
  </>
)
