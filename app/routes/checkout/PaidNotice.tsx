import { paths } from '#domain/paths.ts'
import { Alert } from '../../ui/Alert.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import type { PaidWithoutOrder } from './outcome.server.ts'

/**
 * Explains a payment without an order, with the payment id for support. Nothing here pays again.
 */
export const PaidNotice = ({
  paid: { paymentId, title, text, supportEmail },
}: {
  paid: PaidWithoutOrder
}) => (
  <div className="mt-6 max-w-2xl">
    <Alert kind="error" title={title}>
      <p className="mt-1">{text}</p>
      <p className="mt-2">
        Payment ID: <span className="font-mono text-sm break-all">{paymentId}</span>
      </p>
      <p className="mt-2">
        Support:{' '}
        <a href={`mailto:${supportEmail}`} className="text-link">
          {supportEmail}
        </a>
      </p>
    </Alert>
    <div className="mt-6 flex flex-wrap gap-3">
      <LinkButton kind="primary" to={paths.orderHistory}>
        Order History
      </LinkButton>
      <LinkButton to={paths.contact}>Contact Us</LinkButton>
    </div>
  </div>
)
