import { useSearchParams } from 'react-router'
import { PrescriptionPrompt } from '../../components/PrescriptionPrompt.tsx'
import { pageMeta } from '../../lib/page-meta.ts'
import type { Route } from './+types/prescription-upload'

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Upload Prescription',
    description:
      'Upload a prescription as PDF, JPG or PNG; a pharmacy typically reviews it in 1-2 business days.',
    noindex: true,
  })

export default function PrescriptionUpload() {
  const [params] = useSearchParams()
  // The only other place that one comes from (specification, section 2).
  const fromCheckout = params.get('from') === 'checkout'
  return (
    <PrescriptionPrompt
      returnTo={fromCheckout ? '/prescriptions/upload?from=checkout' : '/prescriptions/upload'}
      back={fromCheckout ? '/checkout' : '/prescriptions'}
    />
  )
}
