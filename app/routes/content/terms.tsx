import { LegalPage } from './LegalPage.tsx'
import { ClipboardCheck, Truck, Undo2 } from '../../ui/icons.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import { supportLoader } from '../../http/support-loader.server.ts'
import type { Route } from './+types/terms'
import { termsOfService } from './terms-of-service.ts'

export const loader = (args: Route.LoaderArgs) => supportLoader(args)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Terms of Service',
    description:
      'The terms for ordering through Meridian: prescriptions, order processing, prices in USD, shipping, returns, refunds and liability.',
  })

export default function Terms({ loaderData: support }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Terms of Service"
      lead="The agreement between you and Meridian when you use the site or order through it."
      updated={['January 2025', '2025-01']}
      inShort={[
        [ClipboardCheck, 'Prescription medications require a valid prescription, verified by a pharmacy.'],
        [Truck, 'Delivery times are estimates. Risk of loss passes to you on delivery to the carrier.'],
        [Undo2, 'Refunds for unshipped orders and significant errors; no returns of medications.'],
      ]}
      sections={termsOfService}
      contact={{
        email: support.email,
        title: 'Questions about these terms',
        words: 'Ask before you order. When these terms change, we update the date at the top.',
      }}
    />
  )
}
