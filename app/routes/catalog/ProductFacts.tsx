import type { Product } from '#domain/catalog/catalog.ts'
import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { Link } from '../../render/Link.tsx'
import { ClipboardList, Factory, ShoppingBag, Truck, Undo2 } from '../../ui/icons.tsx'

type ProductFactsProps = {
  product: Pick<Product, 'category' | 'controlledSchedule'>
  manufacturerName: string | null
  pharmacy: { name: string; country: string; licenseNumber: string } | null
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
 * What to know before buying, next to the button. Without delivery facts for products that are not
 * sold.
 */
export const ProductFacts = ({ product, manufacturerName, pharmacy }: ProductFactsProps) => (
  <ul className="mt-5 divide-y divide-line">
    {product.category === 'Rx' ? (
      <Fact icon={<ClipboardList />} title="Prescription required">
        {product.controlledSchedule ? null : (
          <>
            <Link to={paths.uploadPrescription} className="text-link">
              Upload a prescription
            </Link>{' '}
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
    {manufacturerName ? <Fact icon={<Factory />} title={`Made by ${manufacturerName}`} /> : null}
    {product.controlledSchedule ? null : <Delivery pharmacy={pharmacy} />}
  </ul>
)

const Delivery = ({ pharmacy }: Pick<ProductFactsProps, 'pharmacy'>) => (
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
      Processed in 1-2 business days. Standard delivery takes{' '}
      <span className="whitespace-nowrap">3-5 business days</span> domestic,{' '}
      <span className="whitespace-nowrap">7-14 business days</span> international.
    </Fact>
    <Fact icon={<Undo2 />} title="Medications cannot be returned">
      Orders that have not shipped can be refunded.
    </Fact>
  </>
)
